#include "FaultInjection.h"
