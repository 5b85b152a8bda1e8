/* What Godot's core uses of mbedtls: random numbers, and checksums and ciphers of files. */
#define MBEDTLS_AES_C
#define MBEDTLS_BASE64_C
#define MBEDTLS_CIPHER_MODE_CBC
#define MBEDTLS_CIPHER_MODE_CFB
#define MBEDTLS_CTR_DRBG_C
#define MBEDTLS_ENTROPY_C
#define MBEDTLS_MD_C
#define MBEDTLS_MD5_C
#define MBEDTLS_SHA1_C
#define MBEDTLS_SHA256_C
/* Godot asks the system by itself. */
#define MBEDTLS_NO_PLATFORM_ENTROPY
/* In mbedtls_platform.c. */
#define MBEDTLS_PLATFORM_ZEROIZE_ALT
/* Asked for on Windows, where MinGW's way to print differs. Nothing here prints. */
#define MBEDTLS_PLATFORM_C
