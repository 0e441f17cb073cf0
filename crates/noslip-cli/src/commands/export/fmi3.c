/* FMI 3.0 for model exchange around accelerations written by noslip. What belongs to the model is in model.h.
 * Value references: 0 the time; q; their velocities; parameters; accelerations, multipliers, growth. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "model.h"
#include "project.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#define INPUTS (1 + 2 * N + P)

typedef void *Instance;
typedef const char *String;
typedef uint32_t Reference;
typedef enum { OK, Warning, Discard, Error, Fatal } Status;
typedef void (*Log)(void *, Status, String, String);
typedef struct { double in[INPUTS], out[OUTPUTS], drift; int dirty; Log log; void *environment; } Unit;

static Status evaluate(Unit *u) {
    if (u->dirty) { MOTION(u->in, u->out); u->dirty = 0; }
    if (u->out[OUTPUTS - 1] < GROWTH_LIMIT) return OK;
    if (u->log) u->log(u->environment, Discard, "logStatusDiscard", "the order of elimination does not suit this state");
    return Discard;
}
static Status changed(Unit *u) { u->dirty = 1; return OK; }

EXPORT String fmi3GetVersion(void) { return "3.0"; }
EXPORT Instance fmi3InstantiateModelExchange(String name, String token, String resources, bool visible, bool logging, void *environment, Log log) {
    (void)name; (void)resources; (void)visible; (void)logging;
    if (!token || strcmp(token, TOKEN)) return NULL;
    Unit *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    memcpy(u->in, START, sizeof START);
    u->dirty = 1;
    u->drift = DRIFT;
    u->log = log;
    u->environment = environment;
    return u;
}
EXPORT Instance fmi3InstantiateCoSimulation(void) { return NULL; }
EXPORT Instance fmi3InstantiateScheduledExecution(void) { return NULL; }
EXPORT void fmi3FreeInstance(Instance i) { free(i); }
EXPORT Status fmi3SetDebugLogging(Instance i, bool on, size_t n, const String c[]) { (void)i; (void)on; (void)n; (void)c; return OK; }
EXPORT Status fmi3EnterInitializationMode(Instance i, bool a, double b, double start, bool d, double e) {
    (void)d; (void)e; ((Unit *)i)->drift = a ? PATIENCE * b : DRIFT; ((Unit *)i)->in[0] = start; return changed(i);
}
EXPORT Status fmi3ExitInitializationMode(Instance i) { (void)i; return OK; }
EXPORT Status fmi3EnterEventMode(Instance i) { (void)i; return OK; }
EXPORT Status fmi3Terminate(Instance i) { (void)i; return OK; }
EXPORT Status fmi3Reset(Instance i) { memcpy(((Unit *)i)->in, START, sizeof START); return changed(i); }
EXPORT Status fmi3GetFloat64(Instance i, const Reference r[], size_t n, double v[], size_t nv) {
    Unit *u = i; Status s = OK;
    if (n != nv) return Error;
    for (size_t j = 0; j < n; j++) {
        if (r[j] < INPUTS) v[j] = u->in[r[j]];
        else if (r[j] < INPUTS + OUTPUTS) { Status e = evaluate(u); if (e > s) s = e; v[j] = u->out[r[j] - INPUTS]; }
        else return Error;
    }
    return s;
}
EXPORT Status fmi3SetFloat64(Instance i, const Reference r[], size_t n, const double v[], size_t nv) {
    Unit *u = i;
    if (n != nv) return Error;
    for (size_t j = 0; j < n; j++) { if (r[j] >= INPUTS) return Error; u->in[r[j]] = v[j]; }
    return changed(u);
}
EXPORT Status fmi3GetFMUState(Instance i, void **s) { if (!*s) *s = malloc(sizeof(Unit)); if (!*s) return Error; memcpy(*s, i, sizeof(Unit)); return OK; }
EXPORT Status fmi3SetFMUState(Instance i, void *s) { memcpy(i, s, sizeof(Unit)); return OK; }
EXPORT Status fmi3FreeFMUState(Instance i, void **s) { (void)i; free(*s); *s = NULL; return OK; }
EXPORT Status fmi3EnterContinuousTimeMode(Instance i) { (void)i; return OK; }
EXPORT Status fmi3CompletedIntegratorStep(Instance i, bool a, bool *event, bool *end) {
    (void)a; *event = drift(((Unit *)i)->in) > ((Unit *)i)->drift; *end = false; return OK;
}
EXPORT Status fmi3SetTime(Instance i, double t) { ((Unit *)i)->in[0] = t; return changed(i); }
EXPORT Status fmi3SetContinuousStates(Instance i, const double x[], size_t n) {
    if (n != 2 * N) return Error;
    memcpy(((Unit *)i)->in + 1, x, n * sizeof *x); return changed(i);
}
EXPORT Status fmi3GetContinuousStates(Instance i, double x[], size_t n) {
    if (n != 2 * N) return Error;
    memcpy(x, ((Unit *)i)->in + 1, n * sizeof *x); return OK;
}
EXPORT Status fmi3GetContinuousStateDerivatives(Instance i, double d[], size_t n) {
    Unit *u = i; Status s = evaluate(u);
    if (n != 2 * N) return Error;
    memcpy(d, u->in + 1 + N, N * sizeof *d); memcpy(d + N, u->out, N * sizeof *d); return s;
}
EXPORT Status fmi3GetEventIndicators(Instance i, double z[], size_t n) { (void)i; (void)z; return n ? Error : OK; }
EXPORT Status fmi3GetNominalsOfContinuousStates(Instance i, double x[], size_t n) { (void)i; for (size_t j = 0; j < n; j++) x[j] = 1; return OK; }
EXPORT Status fmi3GetNumberOfEventIndicators(Instance i, size_t *n) { (void)i; *n = 0; return OK; }
EXPORT Status fmi3GetNumberOfContinuousStates(Instance i, size_t *n) { (void)i; *n = 2 * N; return OK; }
EXPORT Status fmi3UpdateDiscreteStates(Instance i, bool *a, bool *b, bool *c, bool *d, bool *e, double *t) {
    *a = *b = *c = *e = false; *d = project(((Unit *)i)->in) > ROUNDING; *t = 0; return changed(i);
}

/* There is nothing else in this unit: what asks for it is told so. */
#define ABSENT(name) EXPORT Status fmi3##name(void) { return Error; }
#define PAIR(T) ABSENT(Get##T) ABSENT(Set##T)
PAIR(Float32) PAIR(Int8) PAIR(UInt8) PAIR(Int16) PAIR(UInt16) PAIR(Int32) PAIR(UInt32) PAIR(Int64) PAIR(UInt64)
PAIR(Boolean) PAIR(String) PAIR(Binary) PAIR(Clock)
ABSENT(GetIntervalDecimal) ABSENT(GetIntervalFraction) ABSENT(GetShiftDecimal) ABSENT(GetShiftFraction)
ABSENT(SetIntervalDecimal) ABSENT(SetIntervalFraction) ABSENT(SetShiftDecimal) ABSENT(SetShiftFraction)
ABSENT(EvaluateDiscreteStates) ABSENT(EnterConfigurationMode) ABSENT(ExitConfigurationMode)
ABSENT(GetNumberOfVariableDependencies) ABSENT(GetVariableDependencies)
ABSENT(SerializedFMUStateSize) ABSENT(SerializeFMUState) ABSENT(DeserializeFMUState)
ABSENT(GetDirectionalDerivative) ABSENT(GetAdjointDerivative)
ABSENT(EnterStepMode) ABSENT(GetOutputDerivatives) ABSENT(DoStep) ABSENT(ActivateModelPartition)
