const $text = (parts) =>
  parts.map((part) => (part === null || part === undefined ? '' : typeof part === 'object' && !$isDate(part) ? JSON.stringify(part) : String(part))).join('');
const $isDate = (value) => value instanceof Date || (value !== null && typeof value === 'object' && value.isLuxonDateTime === true);
const $try = (read) => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
const $if = (test, whenTrue, whenFalse) => (test ? whenTrue : whenFalse);
const $ifEmpty = (value, fallback) => ($isEmpty(value) ? fallback : value);
const $max = (...numbers) => Math.max(...numbers);
const $min = (...numbers) => Math.min(...numbers);
const $average = (...numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const $not = (value) => !value;
const $and = (...values) => values.every(Boolean);
const $or = (...values) => values.some(Boolean);
const $isEmpty = (value) =>
  value === undefined || value === null || value === '' || (typeof value === 'object' && !$isDate(value) && Object.keys(value).length === 0);
const $get = (object, path) =>
  object === null || object === undefined
    ? undefined
    : Object.hasOwn(Object(object), path)
      ? object[path]
      : String(path).replaceAll(/\[['"]?([^\]'"]*)['"]?\]/g, '.$1').split('.').filter((key) => key !== '')
          .reduce((value, key) => (value === null || value === undefined ? undefined : value[key]), object);
const $set = (object, path, value) => {
  const keys = String(path).replaceAll(/\[['"]?([^\]'"]*)['"]?\]/g, '.$1').split('.').filter((key) => key !== '');
  let at = object;
  keys.slice(0, -1).forEach((key, index) => {
    if (!Object.hasOwn(at, key) || at[key] === null || typeof at[key] !== 'object') at[key] = /^\d+$/.test(keys[index + 1]) ? [] : {};
    at = at[key];
  });
  Object.defineProperty(at, keys.at(-1) ?? '', { value, writable: true, enumerable: true, configurable: true });
  return object;
};
const $unset = (object, path) => {
  if (Object.hasOwn(object, path)) {
    delete object[path];
    return;
  }
  const keys = String(path).split('.');
  const parent = keys.slice(0, -1).reduce((value, key) => (value === null || value === undefined ? undefined : value[key]), object);
  if (parent !== null && typeof parent === 'object') delete parent[keys.at(-1)];
};
const $copy = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
const $wrap = (list) => (Array.isArray(list) ? list : list === undefined || list === null || list === '' ? [] : [list])
  .map((json, index) => ({ json: json !== null && typeof json === 'object' ? json : { data: json }, pairedItem: { item: index } }));
const $scope = (inputs) => {
  const items = $wrap(inputs.items);
  const nodes = Object.fromEntries(Object.entries(inputs.nodes ?? {}).map(([name, list]) => [name, $wrap(list)]));
  const access = (list, index) => ({
    item: list[index] ?? list[0] ?? { json: {} },
    first: () => list[0],
    last: () => list.at(-1),
    all: () => list,
    itemMatching: (other) => list[other],
    pairedItem: (other) => list[other ?? index],
    isExecuted: list.length > 0,
    params: {},
    context: {},
    json: (list[index] ?? list[0] ?? { json: {} }).json,
  });
  const at = (index) => {
    const $node = Object.fromEntries(Object.entries(nodes).map(([name, list]) => [name, { ...access(list, index), data: (list[index] ?? list[0])?.json }]));
    const $json = items[index]?.json ?? {};
    return {
      $json, $data: $json, $itemIndex: index, $position: index, $runIndex: inputs.runIndex ?? 0, $node, $vars: inputs.vars ?? {},
      $input: access(items, index),
      $: (name) => access(nodes[name] ?? [], index),
      $items: (name) => (name === undefined ? items : (nodes[name] ?? [])),
      $item: (other) => ({ $node: Object.fromEntries(Object.entries(nodes).map(([name, list]) => [name, access(list, other)])) }),
      items, item: items[index],
    };
  };
  return { items, nodes, at, map: (write) => items.map((_, index) => write(at(index))) };
};
const $results = (returned) =>
  (Array.isArray(returned) ? returned.flat() : returned === undefined || returned === null ? [] : [returned])
    .map((item) => (item !== null && typeof item === 'object' && item.json !== null && typeof item.json === 'object' ? item.json : item));
const $as = (type, value) => {
  if (value === undefined || value === null) return value;
  if (type === 'string') return typeof value === 'object' && !$isDate(value) ? JSON.stringify(value) : String(value);
  if (type === 'number') return Number(value);
  if (type === 'boolean') return typeof value === 'string' ? value.trim().toLowerCase() === 'true' || value.trim() === '1' : Boolean(value);
  if ((type === 'array' || type === 'object') && typeof value === 'string') return value.trim() === '' ? undefined : JSON.parse(value);
  return value;
};
const $pick = (object, paths) => paths.reduce((picked, path) => ($get(object, path) === undefined ? picked : $set(picked, path, $get(object, path))), {});
const $omit = (object, paths) => {
  const copy = $copy(object);
  paths.forEach((path) => $unset(copy, path));
  return copy;
};
const $compare = (one, other) => {
  if (one === other) return 0;
  if (one === undefined || one === null) return 1;
  if (other === undefined || other === null) return -1;
  if (typeof one === 'string' && typeof other === 'string') {
    const [left, right] = [one.toLowerCase(), other.toLowerCase()];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return one < other ? -1 : one > other ? 1 : 0;
};
