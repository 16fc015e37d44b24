#include "CDeviceShims.h"
