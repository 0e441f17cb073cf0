// ---- Vectors, turns, and the faces of solids ----

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => {
  const length = Math.hypot(...a);
  return length > 0 ? times(a, 1 / length) : [0, 0, 1];
};
/** A vector in the axes of a body, seen from space; a turn is its three axes. */
const turn = (axes, p) => add(add(times(axes[0], p[0]), times(axes[1], p[1])), times(axes[2], p[2]));
const IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const compose = (a, b) => b.map((axis) => turn(a, axis));

function about(axis, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  if (axis === 'x') return [[1, 0, 0], [0, c, s], [0, -s, c]];
  if (axis === 'y') return [[c, 0, -s], [0, 1, 0], [s, 0, c]];
  return [[c, s, 0], [-s, c, 0], [0, 0, 1]];
}

/** Two directions that stand on a normal and on each other. */
function frameOf(normal) {
  const n = unit(normal);
  const helper = Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const first = unit(cross(helper, n));
  return [first, cross(n, first), n];
}

function ofQuaternion([w, x, y, z]) {
  const n = Math.hypot(w, x, y, z) || 1;
  [w, x, y, z] = [w / n, x / n, y / n, z / n];
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** The axes of a body from whichever field says how it is turned. */
function orientation(f) {
  let axes = IDENTITY;
  if (f.euler) {
    const order = f.order || 'zxz';
    axes = f.euler.reduce((so, angle, i) => compose(so, about(order[i], angle)), IDENTITY);
  } else if (f.normal) axes = frameOf(f.normal);
  else if (f.quaternion) axes = ofQuaternion(f.quaternion);
  // Rows as one writes a matrix; its columns are the axes.
  else if (f.matrix) axes = [0, 1, 2].map((j) => f.matrix.map((row) => row[j]));
  else if (f.angle !== undefined) axes = about('z', f.angle);
  return f.spin === undefined ? axes : compose(axes, about('z', f.spin));
}

const circle = (count) => Array.from({ length: count }, (_, i) => {
  const angle = (2 * Math.PI * i) / count;
  return [Math.cos(angle), Math.sin(angle)];
});

/** Faces { points, normal, tone } of an ellipsoid; its octants differ in tone, so that turning shows. */
function ellipsoidFaces(center, axes, [a, b, c]) {
  const faces = [];
  const [around, upward] = [24, 12];
  const at = (i, j) => {
    const [phi, theta] = [(2 * Math.PI * i) / around, (Math.PI * j) / upward];
    return [Math.sin(theta) * Math.cos(phi), Math.sin(theta) * Math.sin(phi), Math.cos(theta)];
  };
  for (let i = 0; i < around; i += 1) {
    for (let j = 0; j < upward; j += 1) {
      const corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
      const middle = at(i + 0.5, j + 0.5);
      const normal = unit(turn(axes, [middle[0] / a, middle[1] / b, middle[2] / c]));
      const points = corners.map((p) => add(center, turn(axes, [p[0] * a, p[1] * b, p[2] * c])));
      const tone = (Math.floor((4 * i) / around) + Math.floor((2 * j) / upward)) % 2;
      faces.push({ points, normal, tone });
    }
  }
  return faces;
}

function boxFaces(center, axes, [a, b, c]) {
  const faces = [];
  const half = [a / 2, b / 2, c / 2];
  for (let k = 0; k < 3; k += 1) {
    for (const side of [-1, 1]) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      const corner = (u, v) => {
        const p = [0, 0, 0];
        [p[k], p[i], p[j]] = [side * half[k], u * half[i], v * half[j]];
        return add(center, turn(axes, p));
      };
      const points = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      faces.push({ points, normal: times(axes[k], side), tone: 0, edge: true });
    }
  }
  return faces;
}

/** A disk in sectors of two tones; with a thickness, a short cylinder. */
function diskFaces(center, axes, radius, thickness, spokes) {
  const faces = [];
  const sectors = Math.max(2, 2 * spokes);
  const fine = Math.max(1, Math.round(64 / sectors));
  const rim = circle(sectors * fine);
  const at = (k, z) => {
    const [c, s] = rim[k % rim.length];
    return add(center, turn(axes, [radius * c, radius * s, z]));
  };
  const sides = thickness > 0 ? [[-1, -thickness / 2], [1, thickness / 2]] : [[0, 0]];
  for (const [side, z] of sides) {
    const hub = add(center, times(axes[2], z));
    for (let sector = 0; sector < sectors; sector += 1) {
      const points = [hub];
      for (let k = 0; k <= fine; k += 1) points.push(at(sector * fine + k, z));
      const tone = spokes === 0 ? 0 : sector === 0 ? 2 : sector % 2;
      faces.push({ points, normal: side === 0 ? axes[2] : times(axes[2], side), tone, both: side === 0, rim: true });
    }
  }
  if (thickness > 0) {
    for (let k = 0; k < rim.length; k += 1) {
      const normal = turn(axes, [rim[k][0], rim[k][1], 0]);
      faces.push({ points: [at(k, -thickness / 2), at(k + 1, -thickness / 2), at(k + 1, thickness / 2), at(k, thickness / 2)], normal, tone: 1 });
    }
  }
  return faces;
}

function helix(from, to, coils, radius) {
  const along = sub(to, from);
  const [u, v] = frameOf(along);
  const points = [from];
  const count = coils * 16;
  for (let k = 0; k <= count; k += 1) {
    const part = 0.1 + (0.8 * k) / count;
    const angle = (2 * Math.PI * coils * k) / count;
    points.push(add(add(from, times(along, part)), add(times(u, radius * Math.cos(angle)), times(v, radius * Math.sin(angle)))));
  }
  points.push(to);
  return points;
}

/** Convex hull in the plane, counter-clockwise. */
function hull(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const side = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && side(out[out.length - 2], out[out.length - 1], p) <= 0) out.pop();
      out.push(p);
    }
    out.pop();
    return out;
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}
