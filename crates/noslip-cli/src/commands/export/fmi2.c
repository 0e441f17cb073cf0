/* FMI 2.0 for model exchange around accelerations written by noslip. What belongs to the model is in model.h.
 * Value references: 0 the time; q; their velocities; parameters; accelerations, multipliers, growth. */
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

typedef void *Component;
typedef const char *String;
typedef unsigned Reference;
typedef int Boolean;
typedef enum { OK, Warning, Discard, Error, Fatal, Pending } Status;
typedef void (*Logger)(void *, String, Status, String, String, ...);
typedef struct { Logger logger; void *(*allocate)(size_t, size_t); void (*release)(void *); void (*finished)(void *, Status); void *environment; } Callbacks;
typedef struct { Boolean again, terminate, nominals, values, next; double time; } EventInfo;
typedef struct { double in[INPUTS], out[OUTPUTS], drift; int dirty; Logger log; void *environment; char *name; } Unit;

static Status evaluate(Unit *u) {
    if (u->dirty) { MOTION(u->in, u->out); u->dirty = 0; }
    if (u->out[OUTPUTS - 1] < GROWTH_LIMIT) return OK;
    if (u->log) u->log(u->environment, u->name, Discard, "logStatusDiscard", "the order of elimination does not suit this state");
    return Discard;
}
static Status changed(Unit *u) { u->dirty = 1; return OK; }

EXPORT String fmi2GetTypesPlatform(void) { return "default"; }
EXPORT String fmi2GetVersion(void) { return "2.0"; }
EXPORT Status fmi2SetDebugLogging(Component c, Boolean on, size_t n, const String k[]) { (void)c; (void)on; (void)n; (void)k; return OK; }
EXPORT Component fmi2Instantiate(String name, int type, String token, String resources, const Callbacks *f, Boolean visible, Boolean logging) {
    (void)resources; (void)visible; (void)logging;
    if (type != 0 || !token || strcmp(token, TOKEN)) return NULL;
    Unit *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    memcpy(u->in, START, sizeof START);
    u->dirty = 1;
    u->drift = DRIFT;
    u->log = f ? f->logger : NULL;
    u->environment = f ? f->environment : NULL;
    u->name = malloc(strlen(name) + 1);
    if (u->name) strcpy(u->name, name);
    return u;
}
EXPORT void fmi2FreeInstance(Component c) { if (c) { free(((Unit *)c)->name); free(c); } }
EXPORT Status fmi2SetupExperiment(Component c, Boolean a, double b, double start, Boolean d, double e) {
    (void)d; (void)e; ((Unit *)c)->drift = a ? PATIENCE * b : DRIFT; ((Unit *)c)->in[0] = start; return changed(c);
}
EXPORT Status fmi2EnterInitializationMode(Component c) { (void)c; return OK; }
EXPORT Status fmi2ExitInitializationMode(Component c) { (void)c; return OK; }
EXPORT Status fmi2Terminate(Component c) { (void)c; return OK; }
EXPORT Status fmi2Reset(Component c) { memcpy(((Unit *)c)->in, START, sizeof START); return changed(c); }
EXPORT Status fmi2GetReal(Component c, const Reference r[], size_t n, double v[]) {
    Unit *u = c; Status s = OK;
    for (size_t i = 0; i < n; i++) {
        if (r[i] < INPUTS) v[i] = u->in[r[i]];
        else if (r[i] < INPUTS + OUTPUTS) { Status e = evaluate(u); if (e > s) s = e; v[i] = u->out[r[i] - INPUTS]; }
        else return Error;
    }
    return s;
}
EXPORT Status fmi2SetReal(Component c, const Reference r[], size_t n, const double v[]) {
    Unit *u = c;
    for (size_t i = 0; i < n; i++) { if (r[i] >= INPUTS) return Error; u->in[r[i]] = v[i]; }
    return changed(u);
}
#define NONE(T, X) EXPORT Status fmi2Get##T(Component c, const Reference r[], size_t n, X v[]) { (void)c; (void)r; (void)v; return n ? Error : OK; } \
    EXPORT Status fmi2Set##T(Component c, const Reference r[], size_t n, const X v[]) { (void)c; (void)r; (void)v; return n ? Error : OK; }
NONE(Integer, int) NONE(Boolean, Boolean) NONE(String, String)
EXPORT Status fmi2GetFMUstate(Component c, void **s) { if (!*s) *s = malloc(sizeof(Unit)); if (!*s) return Error; memcpy(*s, c, sizeof(Unit)); return OK; }
EXPORT Status fmi2SetFMUstate(Component c, void *s) {
    Unit *u = c, kept = *u; *u = *(Unit *)s; u->name = kept.name; u->log = kept.log; u->environment = kept.environment; return OK;
}
EXPORT Status fmi2FreeFMUstate(Component c, void **s) { (void)c; free(*s); *s = NULL; return OK; }
EXPORT Status fmi2SerializedFMUstateSize(Component c, void *s, size_t *n) { (void)c; (void)s; (void)n; return Error; }
EXPORT Status fmi2SerializeFMUstate(Component c, void *s, char b[], size_t n) { (void)c; (void)s; (void)b; (void)n; return Error; }
EXPORT Status fmi2DeSerializeFMUstate(Component c, const char b[], size_t n, void **s) { (void)c; (void)b; (void)n; (void)s; return Error; }
EXPORT Status fmi2GetDirectionalDerivative(Component c, const Reference a[], size_t na, const Reference b[], size_t nb, const double d[], double o[]) {
    (void)c; (void)a; (void)na; (void)b; (void)nb; (void)d; (void)o; return Error;
}
EXPORT Status fmi2EnterEventMode(Component c) { (void)c; return OK; }
EXPORT Status fmi2NewDiscreteStates(Component c, EventInfo *e) {
    memset(e, 0, sizeof *e); e->values = project(((Unit *)c)->in) > ROUNDING; return changed(c);
}
EXPORT Status fmi2EnterContinuousTimeMode(Component c) { (void)c; return OK; }
EXPORT Status fmi2CompletedIntegratorStep(Component c, Boolean a, Boolean *event, Boolean *end) {
    (void)a; *event = drift(((Unit *)c)->in) > ((Unit *)c)->drift; *end = 0; return OK;
}
EXPORT Status fmi2SetTime(Component c, double t) { ((Unit *)c)->in[0] = t; return changed(c); }
EXPORT Status fmi2SetContinuousStates(Component c, const double x[], size_t n) {
    if (n != 2 * N) return Error;
    memcpy(((Unit *)c)->in + 1, x, n * sizeof *x); return changed(c);
}
EXPORT Status fmi2GetDerivatives(Component c, double d[], size_t n) {
    Unit *u = c; Status s = evaluate(u);
    if (n != 2 * N) return Error;
    memcpy(d, u->in + 1 + N, N * sizeof *d); memcpy(d + N, u->out, N * sizeof *d); return s;
}
EXPORT Status fmi2GetEventIndicators(Component c, double z[], size_t n) { (void)c; (void)z; return n ? Error : OK; }
EXPORT Status fmi2GetContinuousStates(Component c, double x[], size_t n) {
    if (n != 2 * N) return Error;
    memcpy(x, ((Unit *)c)->in + 1, n * sizeof *x); return OK;
}
EXPORT Status fmi2GetNominalsOfContinuousStates(Component c, double x[], size_t n) { (void)c; for (size_t i = 0; i < n; i++) x[i] = 1; return OK; }
