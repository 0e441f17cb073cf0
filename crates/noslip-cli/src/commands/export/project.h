/* Back to the constraints, by the least change in the kinetic metric: positions first, then velocities. */
#include <math.h>

/* A change that is this small, relative to 1 + |x|, is rounding. */
#define ROUNDING 1e-13
/* What the integrator is let go before it is stopped, in units of its tolerance and where it tells none: a restart costs many steps. */
#define PATIENCE 10
#define DRIFT 1e-8
#define REPEAT 4

/* Adds the change to N numbers; its size, or nothing where the change cannot be told. */
static double corrected(void (*change)(const double *restrict, double *restrict), double *in, double *x) {
    double out[OUTPUTS], size = 0;
    change(in, out);
    if (!(out[OUTPUTS - 1] < GROWTH_LIMIT)) return 0;
    for (int i = 0; i < N; i++) {
        double part = fabs(out[i]) / (1 + fabs(x[i]));
        if (!isfinite(part)) return 0;
        if (part > size) size = part;
    }
    for (int i = 0; i < N; i++) x[i] += out[i];
    return size;
}

/* Moves the state (t, q, v, parameters) to the constraints. How far was it? */
static double project(double *in) {
    double first = 0;
    (void)in; (void)corrected;
#ifdef POSITIONS
    for (int k = 0; k < REPEAT; k++) {
        double size = corrected(POSITIONS, in, in + 1);
        if (size > first) first = size;
        if (size < ROUNDING) break;
    }
#endif
#ifdef VELOCITIES
    for (int k = 0; k < REPEAT; k++) {
        double size = corrected(VELOCITIES, in, in + 1 + N);
        if (size > first) first = size;
        if (size < ROUNDING) break;
    }
#endif
    return first;
}

/* How far is the state from the constraints? */
static double drift(const double *state) {
    double in[1 + 2 * N + P];
    for (int i = 0; i < 1 + 2 * N + P; i++) in[i] = state[i];
    return project(in);
}
