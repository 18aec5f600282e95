const $unique = (list, keys) => {
  const seen = new Set();
  return list.filter((item) => {
    const byKeys = keys && keys.length > 0 && item !== null && typeof item === 'object';
    const key = JSON.stringify(byKeys ? keys.map((name) => item[name]) : item) ?? 'undefined';
    return seen.has(key) ? false : seen.add(key) && true;
  });
};
const $smallWord = /\b(?:an?d?|a[st]|because|but|by|en|for|i[fn]|neither|nor|o[fnr]|only|over|per|so|some|tha[nt]|the|to|up|upon|vs?\.?|versus|via|when|with|without|yet)\b/i;
const $titleWord = (word, at, text) => {
  const end = at + word.length;
  const isSmall = $smallWord.test(word) && at > 0 && end < text.length;
  const isAddress = text[end] === ':' && !/\s/.test(text[end + 1] ?? '');
  return isSmall || isAddress || /.(?=[A-Z]|\..)/.test(word) ? word : word.replace(/[A-Za-z0-9\u00c0-\u00ff]/, (letter) => letter.toUpperCase());
};
const $sentences = (text) => {
  const pieces = text.match(/[^!?.]*[!?.]|[^!?.]+$/g) ?? [];
  const last = pieces.findLastIndex((piece) => /\p{L}/u.test(piece));
  return pieces.slice(0, last + 1).map((piece) => piece.toLowerCase().replace(/\p{L}/u, (letter) => letter.toUpperCase())).join('');
};
const $bytesToText = (bytes) => decodeURIComponent(bytes.map((byte) => '%' + byte.toString(16).padStart(2, '0')).join(''));
const $letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const $base64 = (text) => {
  const bytes = [];
  encodeURIComponent(text).replaceAll(/%([0-9A-F]{2})|./g, (match, hex) => bytes.push(hex ? parseInt(hex, 16) : match.charCodeAt(0)));
  let out = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i], bytes[i + 1], bytes[i + 2]];
    out += $letters[a >> 2] + $letters[((a & 3) << 4) | ((b ?? 0) >> 4)];
    out += b === undefined ? '==' : $letters[((b & 15) << 2) | ((c ?? 0) >> 6)] + (c === undefined ? '=' : $letters[c & 63]);
  }
  return out;
};
const $fromBase64 = (text) => {
  const bytes = [];
  let bits = 0;
  let value = 0;
  for (const letter of text.replaceAll('-', '+').replaceAll('_', '/')) {
    const digit = $letters.indexOf(letter);
    if (digit < 0) continue;
    value = ((value << 6) | digit) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
    }
  }
  return $bytesToText(bytes);
};
const $pickFields = (object, keep) => Object.fromEntries(Object.entries(object).filter(([key, value]) => keep(key, value)));
const $notEmptyDeep = (value) => {
  const isKept = (item) => !$isEmpty(item) && item !== 'nil';
  const inner = (item) => (item !== null && typeof item === 'object' && !Array.isArray(item) && !$isDate(item) ? $notEmptyDeep(item) : item);
  if (Array.isArray(value)) return value.filter(isKept).map(inner);
  return Object.fromEntries(Object.entries(value).filter(([, item]) => isKept(item)).map(([key, item]) => [key, inner(item)]));
};
const $host = String.raw`(?:(?:[-\w]+\.)+(?:[a-z]{2,}|xn--[a-z0-9]+)|localhost|(?:\d{1,3}\.){3}\d{1,3})`;
const $tail = String.raw`(?::\d+)?(?:/[^\s?#]*)?(?:\?[^\s#]*)?(?:#\S*)?`;
const $domain = new RegExp(`^(?:(?:https?|ftp)://)?(?:mailto:)?(?://)?((?:www\\.)?${$host})${$tail}$`, 'i');
const $plainDomain = new RegExp(`^(?:www\\.)?${$host}${$tail}$`, 'i');
const $address = new RegExp(`(?:https?|ftp)://(?:www\\.)?${$host}${$tail}`, 'i');
const $mail = /[^<>()[\]\\.,;:\s@"]+(?:\.[^<>()[\]\\.,;:\s@"]+)*@((?:[a-z0-9-]+\.)+[a-z]{2,})/i;
const $isMail = (text) => !text.includes(' ') && $mail.test(text);
const $extensions = {
  isEmpty: (value) => $isEmpty(value),
  isNotEmpty: (value) => !$isEmpty(value),
  first: (list) => list[0],
  last: (list) => list.at(-1),
  average: (list) => (list.length === 0 ? 0 : list.reduce((sum, item) => sum + Number(item), 0) / list.length),
  sum: (list) => list.reduce((sum, item) => sum + Number(item), 0),
  min: (list) => Math.min(...list),
  max: (list) => Math.max(...list),
  chunk: (list, size) => Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(index * size, (index + 1) * size)),
  compact: (value) => $notEmptyDeep(value),
  difference: (list, other) => $unique(list).filter((item) => !other.some((one) => JSON.stringify(one) === JSON.stringify(item))),
  intersection: (list, other) => $unique(list).filter((item) => other.some((one) => JSON.stringify(one) === JSON.stringify(item))),
  union: (list, other) => $unique([...list, ...other]),
  unique: (list, ...keys) => $unique(list, keys),
  removeDuplicates: (list, ...keys) => $unique(list, keys),
  pluck: (list, ...keys) => (keys.length === 0 ? list : list.flatMap((item) => {
    const found = item !== null && typeof item === 'object' ? Object.keys(item).filter((key) => keys.includes(key)).map((key) => item[key]) : [];
    return found.length === 0 ? [] : [found.length === 1 ? found[0] : found];
  })),
  smartJoin: (list, key, value) => Object.fromEntries(list.filter((item) => item !== null && typeof item === 'object' && key in item && value in item).map((item) => [item[key], item[value]])),
  renameKeys: (list, ...names) => list.map((item) => (item === null || typeof item !== 'object' ? item : Object.fromEntries(Object.entries(item).map(([key, value]) => {
    const at = names.indexOf(key);
    return [at >= 0 && at % 2 === 0 ? names[at + 1] : key, value];
  })))),
  randomItem: (list) => list[Math.floor(Math.random() * list.length)],
  merge: (value, other) => (Array.isArray(value) ? Object.assign({}, ...value, ...(other ?? [])) : { ...other, ...value }),
  append: (list, ...items) => [...list, ...items],
  round: (number, digits = 0) => Number(number.toFixed(digits)),
  floor: (number) => Math.floor(number),
  ceil: (number) => Math.ceil(number),
  abs: (number) => Math.abs(number),
  isEven: (number) => number % 2 === 0,
  isOdd: (number) => Math.abs(number) % 2 === 1,
  isInteger: (number) => Number.isInteger(number),
  format: (value, locale = 'en-US', options = {}) => (typeof value === 'number' ? new Intl.NumberFormat(locale, options).format(value) : $date(value).toFormat(locale === 'en-US' ? 'yyyy-MM-dd' : locale)),
  keys: (object) => Object.keys(object),
  values: (object) => Object.values(object),
  hasField: (object, name) => Object.hasOwn(object, name),
  removeField: (object, name) => $pickFields(object, (key) => key !== name),
  removeFieldsContaining: (object, text) => $pickFields(object, (_, value) => !(typeof value === 'string' && value.includes(text))),
  keepFieldsContaining: (object, text) => $pickFields(object, (_, value) => typeof value === 'string' && value.includes(text)),
  toJsonString: (value) => JSON.stringify(value),
  parseJson: (text) => $try(() => JSON.parse(text)),
  urlEncode: (value, all = false) => (typeof value === 'string' ? (all ? encodeURI(value) : encodeURIComponent(value)) : new URLSearchParams(value).toString()),
  urlDecode: (text, all = false) => (all ? decodeURI(text) : decodeURIComponent(text)),
  base64Encode: (text) => $base64(text),
  base64Decode: (text) => $fromBase64(text),
  quote: (text, mark = '"') => mark + text.replaceAll('\\', '\\\\').replaceAll(mark, '\\' + mark) + mark,
  extractEmail: (text) => $mail.exec(text)?.[0],
  extractDomain: (text) => ($isMail(text) ? $mail : $domain).exec(text)?.[1],
  extractUrl: (text) => $address.exec(text)?.[0],
  extractUrlPath: (text) => /^https?:\/\/[^/?#]+([^?#]*)/.exec(text)?.[1],
  isDomain: (text) => $plainDomain.test(text),
  isEmail: $isMail,
  isUrl: (text) => /^https?:\/\/(?:[a-z0-9-]+\.)*[a-z0-9-]+(?::\d+)?(?:[/?#]\S*)?$/i.test(text),
  isNumeric: (text) => !/^\s*$|\s/.test(String(text)) && !Number.isNaN(Number(text)),
  removeMarkdown: (text) => text.replaceAll(/^(\s*)(?:[*+-]|\d\.)\s+/gm, '$1').replaceAll(/<[\w\s="':(),;/.-]+>/g, '').replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/^#{1,6}\s+/gm, '').replaceAll(/(\*\*|__|\*|_|~~|`)(.+?)\1/g, '$2').replaceAll(/^>\s?/gm, ''),
  removeTags: (text) => text.replaceAll(/<[^>]*>/g, ''),
  replaceSpecialChars: (text) => text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '').replaceAll('ß', 'ss').replaceAll('æ', 'ae').replaceAll('ø', 'o'),
  toSentenceCase: (text) => $sentences(text),
  toSnakeCase: (text) => text.toLowerCase().replaceAll(/[ -]/g, '_').replaceAll(/[\u2000-\u206f\u2e00-\u2e7f]|(?!_)[!-/:-@[-`{-~]/g, ''),
  toTitleCase: (text) => text.replaceAll(/[^\s:–—-]+/g, $titleWord),
  toInt: (value) => (typeof value === 'number' ? Number(value.toFixed(0)) : parseInt(value, 10)),
  toWholeNumber: (value) => (typeof value === 'number' ? Number(value.toFixed(0)) : parseInt(value, 10)),
  toFloat: (value) => parseFloat(value),
  toDecimalNumber: (value) => parseFloat(value),
  toNumber: (value) => Number(value),
  toBoolean: (value) => !['false', '0', 'no', ''].includes(String(value ?? '').toLowerCase()),
  toDate: (value) => new Date(value),
  toDateTime: (value, format) => $date(value, format),
  beginningOf: (value, unit = 'week') => $date(value).startOf(unit),
  endOfMonth: (value) => $date(value).endOf('month'),
  extract: (value, unit = 'week') => (unit === 'week' ? $date(value).weekNumber : unit === 'weekday' ? $date(value).weekday : $date(value)[unit]),
  isBetween: (value, one, other) => $date(value).valueOf() > Math.min($date(one), $date(other)) && $date(value).valueOf() < Math.max($date(one), $date(other)),
  inBetween: (value, one, other) => $extensions.isBetween(value, one, other),
  isWeekend: (value) => $date(value).weekday > 5,
  isInLast: (value, count = 0, unit = 'minutes') => $date(value) >= $now.minus({ [unit]: count }) && $date(value) <= $now,
  diffTo: (value, other, unit = 'days') => $date(value).diff($date(other), unit).as(Array.isArray(unit) ? unit[0] : unit),
  diffToNow: (value, unit = 'days') => $date(value).diff($now, unit).as(Array.isArray(unit) ? unit[0] : unit),
};
const $ext = (value, name, ...given) => {
  if (value !== null && value !== undefined && typeof value[name] === 'function' && !(name === 'keys' && Array.isArray(value))) return value[name](...given);
  if ((value === null || value === undefined) && !['isEmpty', 'isNotEmpty', 'toBoolean'].includes(name)) return undefined;
  return $extensions[name](value, ...given);
};
