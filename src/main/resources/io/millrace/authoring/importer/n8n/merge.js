const $mergeWith = ({ mergeMode = 'deepMerge', overrideEmpty = false }) => {
  const isKept = (old, value) => old !== undefined && (value === undefined || (overrideEmpty && (value === null || value === '')));
  const merge = (target, source) => {
    const out = Array.isArray(target) ? [...target] : { ...target };
    for (const key of Object.keys(source ?? {})) {
      const [old, value] = [Object.hasOwn(out, key) ? out[key] : undefined, source[key]];
      if (isKept(old, value)) continue;
      const isDeep = mergeMode === 'deepMerge' && value !== null && typeof value === 'object' && !$isDate(value);
      const base = old !== null && typeof old === 'object' ? old : Array.isArray(value) ? [] : {};
      Object.defineProperty(out, key, { value: isDeep ? merge(base, value) : value, writable: true, enumerable: true, configurable: true });
    }
    return out;
  };
  return (first, ...others) => others.reduce(merge, { ...first });
};
const $suffixed = (list, number) => list.map((json) => Object.fromEntries(Object.entries(json).map(([key, value]) => [key + '_' + number, value])));
const $isSame = (one, other) => {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object' || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && $isSame(one[key], other[key]));
};
const $isAlike = (one, other) => {
  const isBlank = (value) => value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (one !== null && other !== null && typeof one === typeof other) return $isSame(one, other);
  if ((isBlank(one) || one === undefined) && (isBlank(other) || other === undefined)) return true;
  const words = (value) => (typeof value === 'boolean' ? [String(value), String(Number(value))] : [typeof value === 'object' ? JSON.stringify(value) : String(value)]);
  const plain = (value) => (typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() : value);
  if (one !== null && typeof one === 'object') return typeof other === 'string' && $isSame($try(() => JSON.parse(other)), one);
  if (other !== null && typeof other === 'object') return typeof one === 'string' && $isSame($try(() => JSON.parse(one)), other);
  if (one === null || other === null || one === undefined || other === undefined) return false;
  return words(plain(one)).some((word) => words(plain(other)).includes(word));
};
const $joined = (lists, pairs, mode, { from = 'both', clash = {}, isFirst = false, isFlat = false, isFuzzy = false }) => {
  const [first = [], second = []] = lists;
  if (first.length === 0 || second.length === 0) {
    const isEmpty = mode === 'keepMatches' || (mode === 'enrichInput1' && first.length === 0) || (mode === 'enrichInput2' && second.length === 0)
      || (mode === 'keepNonMatches' && ((from === 'input1' && first.length === 0) || (from === 'input2' && second.length === 0)));
    return isEmpty ? [] : [...first, ...second];
  }
  const value = (json, field) => (isFlat ? json[field] : $get(json, field));
  const isEqual = isFuzzy ? $isAlike : $isSame;
  const matches = first.map((one) => {
    if (pairs.some(([left]) => value(one, left) === undefined)) return [];
    const found = second.filter((other) => pairs.every(([left, right]) => isEqual(value(one, left), value(other, right))));
    return isFirst ? found.slice(0, 1) : found;
  });
  const found = new Set(matches.flat());
  const left = first.filter((_, index) => matches[index].length === 0);
  const right = second.filter((other) => !found.has(other));
  const merge = $mergeWith(clash);
  const way = clash.resolveClash ?? (mode === 'enrichInput2' ? 'preferInput1' : 'preferInput2');
  const ends = (list, number) => (way === 'addSuffix' ? $suffixed(list, number) : list);
  const pair = (one, other) =>
    way === 'addSuffix' ? merge($suffixed([one], 1)[0], $suffixed([other], 2)[0]) : way === 'preferInput1' ? merge(other, one) : merge(one, other);
  const both = () => first.flatMap((one, index) => matches[index].map((other) => pair(one, other)));
  switch (mode) {
    case 'keepNonMatches':
      return from === 'input1' ? left : from === 'input2' ? right
        : [...left.map((json) => ({ ...json, _source: 'input1' })), ...right.map((json) => ({ ...json, _source: 'input2' }))];
    case 'keepEverything': return [...both(), ...ends(left, 1), ...ends(right, 2)];
    case 'enrichInput1': return [...both(), ...ends(left, 1)];
    case 'enrichInput2': return [...both(), ...ends(right, 2)];
    default: return from === 'input1' ? first.filter((_, index) => matches[index].length > 0) : from === 'input2' ? second.filter((other) => found.has(other)) : both();
  }
};
const $aligned = (lists, clash, isOuter) => {
  const merge = $mergeWith(clash);
  const way = clash.resolveClash ?? '';
  const named = way === 'addSuffix' ? lists.map((list, index) => $suffixed(list, index + 1)) : lists;
  const preferred = named[Number(/^preferInput(\d+)$/.exec(way)?.[1] ?? named.length) - 1] ?? [];
  const lengths = named.map((list) => list.length);
  return Array.from({ length: (isOuter ? Math.max : Math.min)(...lengths) }, (_, index) => merge({}, ...named.map((list) => list[index] ?? {}), preferred[index] ?? {}));
};
const $multiplied = ([first = [], second = []], clash) => {
  const merge = $mergeWith(clash);
  const way = clash.resolveClash ?? '';
  const [outer, inner] = way === 'preferInput1' ? [second, first] : way === 'addSuffix' ? [$suffixed(first, 1), $suffixed(second, 2)] : [first, second];
  return outer.flatMap((one) => inner.map((other) => merge(one, other)));
};
const $keyed = ([first = [], second = []], mode, [left, right], overwrite) => {
  const known = new Map(second.filter((json) => $get(json, right)).map((json) => [String($get(json, right)), json]));
  const isFree = (json, key) => overwrite === 'always' || (overwrite === 'undefined' ? !Object.hasOwn(json, key) : [null, undefined, ''].includes(json[key]));
  return first.flatMap((json) => {
    const key = $get(json, left);
    const isKey = key === null || typeof key === 'string' || typeof key === 'number';
    const other = isKey ? known.get(String(key)) : undefined;
    if (mode === 'removeKeyMatches') return other ? [] : [json];
    if (mode === 'keepKeyMatches') return other ? [json] : [];
    if (!isKey) return [];
    return [Object.assign({}, json, Object.fromEntries(Object.entries(other ?? {}).filter(([name]) => name !== right && isFree(json, name))))];
  });
};
