// What script/dev/release tells the compiler about the build.
#pragma once

/* The commit that the program is built from; empty in a build for development. */
#ifndef LETSSWITCH_COMMIT
#define LETSSWITCH_COMMIT ""
#endif

static inline const char *letsswitch_commit(void) { return LETSSWITCH_COMMIT; }
