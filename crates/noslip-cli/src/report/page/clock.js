// ---- Time: one clock for the animation and all plots ----

/** Index before `t` and how far on to the next, in ascending `times`. */
function locate(times, t) {
  let low = 0;
  let high = times.length - 1;
  if (high <= 0 || t <= times[0]) return [0, 0];
  if (t >= times[high]) return [high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  const step = times[high] - times[low];
  return [low, step > 0 ? (t - times[low]) / step : 0];
}

/** The value of a column there; a gap beside it is a gap. */
function valueAt(values, [index, part]) {
  const a = values[index];
  if (part === 0 || index + 1 >= values.length) return a ?? null;
  const b = values[index + 1];
  return a === null || b === null || a === undefined || b === undefined ? null : a + (b - a) * part;
}

class Clock {
  constructor(times) {
    this.times = times;
    this.start = times[0];
    this.end = times[times.length - 1];
    this.time = this.start;
    /** A time only looked at, under the pointer. */
    this.glance = null;
    this.speed = 1;
    this.loop = true;
    this.playing = false;
    this.listeners = [];
    this.frame = this.frame.bind(this);
  }

  get shown() {
    return this.glance ?? this.time;
  }

  listen(listener) {
    this.listeners.push(listener);
  }

  notify() {
    const where = locate(this.times, this.shown);
    for (const listener of this.listeners) listener(this.shown, where);
  }

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.notify();
  }

  look(time) {
    const next = time === null ? null : Math.min(this.end, Math.max(this.start, time));
    if (next === this.glance) return;
    this.glance = next;
    this.notify();
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.last = null;
    requestAnimationFrame(this.frame);
    this.notify();
  }

  pause() {
    this.playing = false;
    this.notify();
  }

  frame(now) {
    if (!this.playing) return;
    // A hidden page must not leap when it comes back.
    const passed = this.last === null ? 0 : Math.min(100, now - this.last) / 1000;
    this.last = now;
    let time = this.time + passed * this.speed;
    if (time >= this.end) {
      if (this.loop && this.end > this.start) {
        time = this.start + ((time - this.start) % (this.end - this.start));
      } else {
        time = this.end;
        this.playing = false;
      }
    }
    this.time = time;
    this.notify();
    if (this.playing) requestAnimationFrame(this.frame);
  }
}
