#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/ec.h>
#include <openssl/params.h>
#include <openssl/core_names.h>
#include <openssl/sha.h>

// OpenSSL 3 calls these deprecated and offers nothing else that hashes without allocating. Here, so that Swift does not
// warn of them.
static inline int greenroom_sha1_init(SHA_CTX *context) { return SHA1_Init(context); }
static inline int greenroom_sha1_update(SHA_CTX *context, const void *data, size_t length) {
  return SHA1_Update(context, data, length);
}
static inline int greenroom_sha1_final(unsigned char *digest, SHA_CTX *context) { return SHA1_Final(digest, context); }

// Two structures on the stack, which Swift could only build by an array on the heap.
static inline int greenroom_gcm_tag(EVP_CIPHER_CTX *context, unsigned char *tag) {
  OSSL_PARAM parameters[2] = {{OSSL_CIPHER_PARAM_AEAD_TAG, OSSL_PARAM_OCTET_STRING, tag, 16, OSSL_PARAM_UNMODIFIED},
                              {NULL, 0, NULL, 0, 0}};
  return EVP_CIPHER_CTX_get_params(context, parameters);
}
