#pragma once
/* The module's own header; programs include MediaEngine.h alone. */
#include "MediaEngine.h"
