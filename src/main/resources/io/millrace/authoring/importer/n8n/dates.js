const $zoneOffset = (ms, zone) => {
  if (/^utc$/i.test(zone)) return 0;
  const fixed = /^(?:utc|gmt)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(zone);
  if (fixed) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3] ?? 0));
  const parts = Object.fromEntries(new Intl.DateTimeFormat('en-US', {
    timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
  }).formatToParts(new Date(ms)).map((part) => [part.type, part.value]));
  const wall = Date.UTC(Number(parts.year), Number(parts.month) - 1, Number(parts.day), Number(parts.hour) % 24, Number(parts.minute), Number(parts.second));
  return Math.round((wall - Math.floor(ms / 1000) * 1000) / 60000);
};
const $unit = (name) => String(name).toLowerCase().replace(/s$/, '');
const $unitMs = { week: 604800000, day: 86400000, hour: 3600000, minute: 60000, second: 1000, millisecond: 1 };
const $months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const $days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const $pad = (number, length = 2) => (number < 0 ? '-' : '') + String(Math.abs(number)).padStart(length, '0');
const $offsetText = (minutes, separator) => (minutes < 0 ? '-' : '+') + $pad(Math.floor(Math.abs(minutes) / 60)) + separator + $pad(Math.abs(minutes) % 60);
class Duration {
  constructor(values) {
    this.values = values;
  }
  static fromObject(values) {
    return new Duration(Object.fromEntries(Object.entries(values).map(([key, value]) => [$unit(key), Number(value)])));
  }
  static fromMillis(ms) {
    return new Duration({ millisecond: ms });
  }
  toMillis() {
    return Object.entries(this.values).reduce((sum, [key, value]) => sum + value * ($unitMs[key] ?? { month: 2592000000, year: 31536000000, quarter: 7776000000 }[key] ?? 0), 0);
  }
  as(unit) {
    const key = $unit(unit);
    return Object.keys(this.values).length === 1 && key in this.values ? this.values[key] : this.toMillis() / ($unitMs[key] ?? { month: 2592000000, year: 31536000000, quarter: 7776000000 }[key]);
  }
  toObject() {
    return Object.fromEntries(Object.entries(this.values).map(([key, value]) => [key + 's', value]));
  }
  toJSON() {
    return this.toISO();
  }
  toISO() {
    const v = this.values;
    const part = (value, letter) => (value ? value + letter : '');
    const time = part(v.hour, 'H') + part(v.minute, 'M') + (v.second || v.millisecond ? (v.second ?? 0) + (v.millisecond ?? 0) / 1000 + 'S' : '');
    return 'P' + part(v.year, 'Y') + part(v.month, 'M') + part(v.week, 'W') + part(v.day, 'D') + (time ? 'T' + time : '') || 'PT0S';
  }
  get milliseconds() { return this.values.millisecond ?? 0; }
  get seconds() { return this.values.second ?? 0; }
  get minutes() { return this.values.minute ?? 0; }
  get hours() { return this.values.hour ?? 0; }
  get days() { return this.values.day ?? 0; }
  get weeks() { return this.values.week ?? 0; }
  get months() { return this.values.month ?? 0; }
  get years() { return this.values.year ?? 0; }
}
class DateTime {
  constructor(ms, zone) {
    this.ts = ms;
    this.zoneName = zone ?? $zone;
    this.offset = Number.isFinite(ms) ? $zoneOffset(ms, this.zoneName) : 0;
    this.wall = new Date(ms + this.offset * 60000);
  }
  static now() { return new DateTime(Date.now()); }
  static utc(...parts) { return parts.length === 0 ? new DateTime(Date.now(), 'UTC') : DateTime.fromObject($parts(parts), { zone: 'UTC' }); }
  static local(...parts) { return parts.length === 0 ? DateTime.now() : DateTime.fromObject($parts(parts)); }
  static fromMillis(ms, options) { return new DateTime(Number(ms), options?.zone); }
  static fromSeconds(seconds, options) { return new DateTime(Number(seconds) * 1000, options?.zone); }
  static fromJSDate(date, options) { return new DateTime(date.getTime(), options?.zone); }
  static fromObject(values, options) {
    const v = Object.fromEntries(Object.entries(values).map(([key, value]) => [$unit(key), Number(value)]));
    const now = DateTime.now();
    return DateTime.ofWall(Date.UTC(v.year ?? now.year, (v.month ?? 1) - 1, v.day ?? 1, v.hour ?? 0, v.minute ?? 0, v.second ?? 0, v.millisecond ?? 0), options?.zone ?? $zone);
  }
  static ofWall(wallMs, zone) {
    const guess = wallMs - $zoneOffset(wallMs, zone) * 60000;
    return new DateTime(wallMs - $zoneOffset(guess, zone) * 60000, zone);
  }
  static fromISO(text, options) {
    const zone = options?.zone ?? $zone;
    const m = /^([+-]?\d{4,6})(?:-?(\d{2})(?:-?(\d{2}))?)?(?:[T ](\d{2}):?(\d{2})?(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(String(text).trim());
    if (!m) return new DateTime(NaN, zone);
    const wall = Date.UTC(Number(m[1]), Number(m[2] ?? 1) - 1, Number(m[3] ?? 1), Number(m[4] ?? 0), Number(m[5] ?? 0), Number(m[6] ?? 0), m[7] ? Math.floor(Number('0.' + m[7]) * 1000) : 0);
    if (!m[8]) return DateTime.ofWall(wall, zone);
    const offset = /z/i.test(m[8]) ? 0 : (m[8][0] === '-' ? -1 : 1) * (Number(m[8].slice(1, 3)) * 60 + Number(m[8].slice(-2)));
    return new DateTime(wall - offset * 60000, options?.setZone && offset !== 0 ? 'UTC' + $offsetText(offset, ':') : zone);
  }
  static fromSQL(text, options) { return DateTime.fromISO(String(text).replace(' ', 'T'), options); }
  static fromHTTP(text) { return new DateTime(Date.parse(text)); }
  static fromRFC2822(text) { return new DateTime(Date.parse(text)); }
  static isDateTime(value) { return value instanceof DateTime; }
  static fromFormat(text, format, options) {
    const names = [];
    const source = format.replaceAll(/'([^']*)'|([A-Za-z])\2*|[^A-Za-z']/g, (token, quoted) => {
      if (quoted !== undefined) return quoted.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      const pattern = $inputTokens[token];
      if (!pattern) return token.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(token);
      return '(' + pattern + ')';
    });
    const match = new RegExp('^' + source + '$', 'i').exec(String(text).trim());
    if (!match) return new DateTime(NaN);
    const v = { year: DateTime.now().year, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 };
    let offset;
    let half;
    names.forEach((token, index) => {
      const value = match[index + 1];
      const letter = token[0];
      if (letter === 'y') v.year = token === 'yy' ? (Number(value) > 60 ? 1900 : 2000) + Number(value) : Number(value);
      else if (letter === 'M' || letter === 'L') v.month = token.length > 2 ? $months.findIndex((name) => name.slice(0, 3).toLowerCase() === value.slice(0, 3).toLowerCase()) + 1 : Number(value);
      else if (letter === 'd') v.day = Number(value);
      else if (letter === 'H' || letter === 'h') v.hour = Number(value);
      else if (letter === 'm') v.minute = Number(value);
      else if (letter === 's') v.second = Number(value);
      else if (letter === 'S') v.millisecond = Number(value.padEnd(3, '0').slice(0, 3));
      else if (letter === 'a') half = value.toLowerCase();
      else if (letter === 'Z') offset = value;
    });
    if (half) v.hour = (v.hour % 12) + (half === 'pm' ? 12 : 0);
    return offset ? DateTime.fromISO(new Date(Date.UTC(v.year, v.month - 1, v.day, v.hour, v.minute, v.second, v.millisecond)).toISOString().slice(0, -1) + offset) : DateTime.fromObject(v, options);
  }
  get isLuxonDateTime() { return true; }
  get isValid() { return Number.isFinite(this.ts); }
  get year() { return this.wall.getUTCFullYear(); }
  get month() { return this.wall.getUTCMonth() + 1; }
  get day() { return this.wall.getUTCDate(); }
  get hour() { return this.wall.getUTCHours(); }
  get minute() { return this.wall.getUTCMinutes(); }
  get second() { return this.wall.getUTCSeconds(); }
  get millisecond() { return this.wall.getUTCMilliseconds(); }
  get weekday() { return this.wall.getUTCDay() || 7; }
  get quarter() { return Math.ceil(this.month / 3); }
  get ordinal() { return Math.round((Date.UTC(this.year, this.month - 1, this.day) - Date.UTC(this.year, 0, 1)) / 86400000) + 1; }
  get weekYear() { return new Date(Date.UTC(this.year, this.month - 1, this.day + 4 - this.weekday)).getUTCFullYear(); }
  get weekNumber() { return Math.ceil(((Date.UTC(this.year, this.month - 1, this.day + 4 - this.weekday) - Date.UTC(this.weekYear, 0, 1)) / 86400000 + 1) / 7); }
  get daysInMonth() { return new Date(Date.UTC(this.year, this.month, 0)).getUTCDate(); }
  get monthLong() { return $months[this.month - 1]; }
  get monthShort() { return this.monthLong.slice(0, 3); }
  get weekdayLong() { return $days[this.weekday - 1]; }
  get weekdayShort() { return this.weekdayLong.slice(0, 3); }
  plus(amount, unit) { return this.shift(amount, unit, 1); }
  minus(amount, unit) { return this.shift(amount, unit, -1); }
  shift(amount, unit, sign) {
    const values = amount instanceof Duration ? amount.values : Duration.fromObject(typeof amount === 'object' ? amount : { [unit ?? 'millisecond']: amount }).values;
    const months = sign * ((values.year ?? 0) * 12 + (values.quarter ?? 0) * 3 + (values.month ?? 0));
    const days = sign * ((values.week ?? 0) * 7 + (values.day ?? 0));
    let at = this;
    if (months !== 0 || days !== 0) {
      const first = Date.UTC(this.year, this.month - 1 + months, 1);
      const length = new Date(Date.UTC(new Date(first).getUTCFullYear(), new Date(first).getUTCMonth() + 1, 0)).getUTCDate();
      const time = this.wall.getTime() - Date.UTC(this.year, this.month - 1, this.day);
      at = DateTime.ofWall(first + (Math.min(this.day, length) - 1 + days) * 86400000 + time, this.zoneName);
    }
    const ms = ['hour', 'minute', 'second', 'millisecond'].reduce((sum, key) => sum + (values[key] ?? 0) * $unitMs[key], 0);
    return new DateTime(at.ts + sign * ms, this.zoneName);
  }
  startOf(unit) {
    const key = $unit(unit);
    const v = { year: this.year, month: this.month, day: this.day, hour: this.hour, minute: this.minute, second: this.second };
    if (key === 'week') return this.minus({ days: this.weekday - 1 }).startOf('day');
    if (key === 'quarter') return this.set({ month: this.month - ((this.month - 1) % 3) }).startOf('month');
    const order = ['year', 'month', 'day', 'hour', 'minute', 'second'];
    return DateTime.fromObject(Object.fromEntries(order.slice(0, order.indexOf(key) + 1).map((name) => [name, v[name]])), { zone: this.zoneName });
  }
  endOf(unit) { return this.startOf(unit).plus({ [unit]: 1 }).minus({ milliseconds: 1 }); }
  set(values) {
    const v = Object.fromEntries(Object.entries(values).map(([key, value]) => [$unit(key), Number(value)]));
    if (v.weekday) return this.plus({ days: v.weekday - this.weekday });
    return DateTime.fromObject({ year: this.year, month: this.month, day: this.day, hour: this.hour, minute: this.minute, second: this.second, millisecond: this.millisecond, ...v }, { zone: this.zoneName });
  }
  setZone(zone) { return new DateTime(this.ts, zone === 'local' || zone === 'default' ? $zone : zone); }
  setLocale() { return this; }
  reconfigure() { return this; }
  toUTC() { return this.setZone('UTC'); }
  toLocal() { return this.setZone($zone); }
  toMillis() { return this.ts; }
  valueOf() { return this.ts; }
  toSeconds() { return this.ts / 1000; }
  toUnixInteger() { return Math.floor(this.ts / 1000); }
  toJSDate() { return new Date(this.ts); }
  toJSON() { return this.toISO(); }
  toString() { return this.isValid ? this.toISO() : 'Invalid DateTime'; }
  toISODate() { return this.isValid ? this.toFormat('yyyy-MM-dd') : null; }
  toISOTime() { return this.isValid ? this.toFormat('HH:mm:ss.SSSZZ') : null; }
  toSQL() { return this.toFormat('yyyy-MM-dd HH:mm:ss.SSS ZZ'); }
  toSQLDate() { return this.toISODate(); }
  toHTTP() { return new Date(this.ts).toUTCString(); }
  toISO(options = {}) {
    if (!this.isValid) return null;
    const millis = options.suppressMilliseconds && this.millisecond === 0 ? '' : '.SSS';
    const zone = options.includeOffset === false ? '' : this.offset === 0 && /^(utc|etc\/utc)$/i.test(this.zoneName) ? 'Z' : $offsetText(this.offset, ':');
    return this.toFormat("yyyy-MM-dd'T'HH:mm:ss" + millis) + zone;
  }
  toObject() { return { year: this.year, month: this.month, day: this.day, hour: this.hour, minute: this.minute, second: this.second, millisecond: this.millisecond }; }
  toLocaleString(options = {}, more = {}) { return new Intl.DateTimeFormat(more.locale ?? 'en-US', { timeZone: this.zoneName, ...(Object.keys(options).length === 0 ? { dateStyle: 'short' } : options) }).format(this.toJSDate()); }
  toRelative() {
    const seconds = (this.ts - Date.now()) / 1000;
    const [unit, size] = [['year', 31536000], ['month', 2592000], ['week', 604800], ['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]].find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
    const count = Math.trunc(seconds / size);
    const words = Math.abs(count) + ' ' + unit + (Math.abs(count) === 1 ? '' : 's');
    return count < 0 || Object.is(count, -0) ? words + ' ago' : 'in ' + words;
  }
  hasSame(other, unit) { return this.startOf(unit).ts === other.setZone(this.zoneName).startOf(unit).ts; }
  equals(other) { return this.ts === other.ts; }
  diffNow(unit) { return this.diff(DateTime.now(), unit); }
  diff(other, unit = 'milliseconds') {
    const units = (Array.isArray(unit) ? unit : [unit]).map($unit);
    const order = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'].filter((key) => units.includes(key));
    const values = {};
    let at = $date(other);
    order.forEach((key, index) => {
      const isLast = index === order.length - 1;
      if ($unitMs[key]) {
        const shift = key === 'day' || key === 'week' ? (this.offset - at.offset) * 60000 : 0;
        const count = (this.ts - at.ts + shift) / $unitMs[key];
        values[key] = isLast ? count : Math.trunc(count);
      } else {
        const months = { year: 12, quarter: 3, month: 1 }[key];
        let count = Math.trunc(((this.year - at.year) * 12 + this.month - at.month) / months);
        while (count > 0 && at.plus({ months: count * months }) > this) count--;
        while (count < 0 && at.plus({ months: count * months }) < this) count++;
        const start = at.plus({ months: count * months });
        const step = this.ts >= start.ts ? 1 : -1;
        values[key] = count + (isLast && this.ts !== start.ts ? (step * Math.abs(this.ts - start.ts)) / Math.abs(start.plus({ months: step * months }).ts - start.ts) : 0);
      }
      if (!isLast) at = at.plus({ [key]: values[key] });
    });
    return new Duration(values);
  }
  toFormat(format) {
    if (!this.isValid) return 'Invalid DateTime';
    return format.replaceAll(/'([^']*)'|([A-Za-z])\2*/g, (token, quoted) => (quoted !== undefined ? quoted : ($outputTokens[token]?.(this) ?? token)));
  }
}
const $parts = (parts) => Object.fromEntries(['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'].slice(0, parts.length).map((name, index) => [name, parts[index]]));
const $two = '\\d{2}';
const $inputTokens = { yyyy: '\\d{4}', yy: $two, y: '\\d{1,6}', MM: $two, M: '\\d{1,2}', LL: $two, L: '\\d{1,2}', MMM: '[a-z]{3}', MMMM: '[a-z]{3,9}', LLL: '[a-z]{3}', LLLL: '[a-z]{3,9}', dd: $two, d: '\\d{1,2}', HH: $two, H: '\\d{1,2}', hh: $two, h: '\\d{1,2}', mm: $two, m: '\\d{1,2}', ss: $two, s: '\\d{1,2}', SSS: '\\d{3}', S: '\\d{1,3}', a: '[ap]m', ZZ: '[+-]\\d{2}:\\d{2}|Z', ZZZ: '[+-]\\d{4}', Z: '[+-]\\d{1,2}(?::\\d{2})?', EEE: '[a-z]{3}', EEEE: '[a-z]{6,9}', ccc: '[a-z]{3}', cccc: '[a-z]{6,9}' };
const $intl = (options) => (date) => new Intl.DateTimeFormat('en-US', { timeZone: date.zoneName, ...options }).format(date.toJSDate());
const $outputTokens = {
  yyyy: (d) => $pad(d.year, 4), yy: (d) => $pad(d.year % 100), y: (d) => String(d.year), MMMM: (d) => d.monthLong, MMM: (d) => d.monthShort, MM: (d) => $pad(d.month), M: (d) => String(d.month),
  LLLL: (d) => d.monthLong, LLL: (d) => d.monthShort, LL: (d) => $pad(d.month), L: (d) => String(d.month), dd: (d) => $pad(d.day), d: (d) => String(d.day),
  EEEE: (d) => d.weekdayLong, EEE: (d) => d.weekdayShort, E: (d) => String(d.weekday), cccc: (d) => d.weekdayLong, ccc: (d) => d.weekdayShort, c: (d) => String(d.weekday),
  HH: (d) => $pad(d.hour), H: (d) => String(d.hour), hh: (d) => $pad(d.hour % 12 || 12), h: (d) => String(d.hour % 12 || 12), mm: (d) => $pad(d.minute), m: (d) => String(d.minute), ss: (d) => $pad(d.second), s: (d) => String(d.second),
  SSS: (d) => $pad(d.millisecond, 3), S: (d) => String(d.millisecond), a: (d) => (d.hour < 12 ? 'AM' : 'PM'), ZZZ: (d) => $offsetText(d.offset, ''), ZZ: (d) => $offsetText(d.offset, ':'), Z: (d) => $offsetText(d.offset, ':').replace(/^([+-])0?(\d+):00$/, '$1$2'), z: (d) => d.zoneName,
  WW: (d) => $pad(d.weekNumber), W: (d) => String(d.weekNumber), kkkk: (d) => $pad(d.weekYear, 4), ooo: (d) => $pad(d.ordinal, 3), o: (d) => String(d.ordinal), qq: (d) => $pad(d.quarter), q: (d) => String(d.quarter), X: (d) => String(Math.floor(d.ts / 1000)), x: (d) => String(d.ts),
  D: $intl({ dateStyle: 'short' }), DD: $intl({ dateStyle: 'medium' }), DDD: $intl({ dateStyle: 'long' }), DDDD: $intl({ dateStyle: 'full' }), t: $intl({ timeStyle: 'short' }), T: (d) => d.toFormat('HH:mm'), TT: (d) => d.toFormat('HH:mm:ss'),
};
const $date = (value, format) => {
  if (value instanceof DateTime) return value;
  if (value instanceof Date) return DateTime.fromJSDate(value);
  if (format && !['ms', 's', 'excel'].includes(format)) return DateTime.fromFormat(value, format);
  if (typeof value === 'number' || /^\d{10,13}$/.test(value)) return DateTime.fromMillis(format === 's' || String(Math.trunc(Number(value))).length <= 10 && format !== 'ms' ? Number(value) * 1000 : Number(value));
  const iso = DateTime.fromISO(value);
  return iso.isValid ? iso : new DateTime(Date.parse(value));
};
const $now = DateTime.now();
const $today = $now.startOf('day');
const $momentFormat = (format) => format.replaceAll(/\[([^\]]*)\]|YYYY|YY|DDDD|DD|D|dddd|ddd|A|a/g, (token, quoted) =>
  (quoted !== undefined ? "'" + quoted + "'" : { YYYY: 'yyyy', YY: 'yy', DDDD: 'ooo', DD: 'dd', D: 'd', dddd: 'cccc', ddd: 'ccc', A: 'a', a: 'a' }[token]));
