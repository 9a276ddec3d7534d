// libpq, the C interface to PostgreSQL.
#pragma once

#include <libpq-fe.h>
