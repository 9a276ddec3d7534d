// OpenSSL: digests, message authentication, random bytes, and TLS.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// Macros, so out of Swift's reach.
static inline int evp_public_key_selection(void) {
    return EVP_PKEY_PUBLIC_KEY;
}

static inline int evp_key_pair_selection(void) {
    return EVP_PKEY_KEYPAIR;
}

// A builder keeps the pointer to a parameter's name, which has to outlive it.
static inline int evp_push_group(OSSL_PARAM_BLD *builder, const char *name) {
    return OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, name, 0);
}

static inline int evp_push_public_key(OSSL_PARAM_BLD *builder, const void *bytes, size_t count) {
    return OSSL_PARAM_BLD_push_octet_string(builder, OSSL_PKEY_PARAM_PUB_KEY, bytes, count);
}

static inline int evp_push_private_key(OSSL_PARAM_BLD *builder, const BIGNUM *number) {
    return OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_PRIV_KEY, number);
}

static inline int tls_set_minimum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

static inline int tls_set_maximum_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
}

static inline void tls_refuse_renegotiation(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

static inline int tls_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int tls_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

static inline int tls_print_name(BIO *output, const X509_NAME *name) {
    return X509_NAME_print_ex(output, name, 0, XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
}

static inline int tls_name_count(const GENERAL_NAMES *names) {
    return sk_GENERAL_NAME_num(names);
}

static inline const GENERAL_NAME *tls_name_at(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}
