const $jmesTokens = (text) => {
  const tokens = [];
  const pattern = /\s*(?:("(?:[^"\\]|\\.)*")|('(?:[^'\\]|\\.)*')|(`(?:[^`\\]|\\.)*`)|([A-Za-z_]\w*)|(-?\d+)|(\[\]|\[\?|&&|\|\||==|!=|<=|>=|[.[\]*|&<>!(){}:,@]))/gy;
  while (pattern.lastIndex < text.trimEnd().length) {
    const match = pattern.exec(text);
    if (!match) throw new SyntaxError('JMESPath: ' + text);
    const [, quoted, raw, literal, name, number, mark] = match;
    tokens.push(quoted ? { name: JSON.parse(quoted) } : raw ? { value: raw.slice(1, -1).replaceAll("\\'", "'") } : literal ? { value: $jmesLiteral(literal.slice(1, -1)) } : name ? { name } : number ? { number: Number(number) } : { mark });
  }
  return tokens;
};
const $jmesLiteral = (text) => {
  try {
    return JSON.parse(text.replaceAll('\\`', '`'));
  } catch {
    return text;
  }
};
const $jmesTrue = (value) => !(value === null || value === undefined || value === false || value === '' || (typeof value === 'object' && Object.keys(value).length === 0));
const $jmesType = (value) => (value === null || value === undefined ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const $jmesFunctions = {
  length: (value) => (typeof value === 'object' ? Object.keys(value).length : value.length), keys: (value) => Object.keys(value), values: (value) => Object.values(value),
  sort: (list) => [...list].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), reverse: (value) => (typeof value === 'string' ? [...value].reverse().join('') : [...value].reverse()),
  sort_by: (list, key) => [...list].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)), map: (key, list) => list.map((item) => key(item) ?? null),
  max_by: (list, key) => list.reduce((best, item) => (best === null || key(item) > key(best) ? item : best), null), min_by: (list, key) => list.reduce((best, item) => (best === null || key(item) < key(best) ? item : best), null),
  sum: (list) => list.reduce((a, b) => a + b, 0), avg: (list) => (list.length === 0 ? null : list.reduce((a, b) => a + b, 0) / list.length), max: (list) => (list.length === 0 ? null : list.reduce((a, b) => (b > a ? b : a))), min: (list) => (list.length === 0 ? null : list.reduce((a, b) => (b < a ? b : a))),
  contains: (value, item) => value.includes(item), starts_with: (text, start) => text.startsWith(start), ends_with: (text, end) => text.endsWith(end), join: (glue, list) => list.join(glue),
  to_string: (value) => (typeof value === 'string' ? value : JSON.stringify(value)), to_number: (value) => (Number.isNaN(Number(value)) ? null : Number(value)), to_array: (value) => (Array.isArray(value) ? value : [value]), type: $jmesType,
  not_null: (...values) => values.find((value) => value !== null && value !== undefined) ?? null, merge: (...objects) => Object.assign({}, ...objects), abs: Math.abs, ceil: Math.ceil, floor: Math.floor,
};
const $jmespath = (data, expression) => {
  const tokens = $jmesTokens(expression);
  let at = 0;
  const is = (mark) => tokens[at]?.mark === mark;
  const take = (mark) => (is(mark) ? (at++, true) : false);
  const need = (mark) => {
    if (!take(mark)) throw new SyntaxError('JMESPath: expected ' + mark);
  };
  const project = (read) => (value) => (Array.isArray(value) ? value.map(read).filter((item) => item !== null && item !== undefined) : null);
  const pipe = () => {
    let left = or();
    while (take('|')) {
      const [before, after] = [left, or()];
      left = (value) => after(before(value));
    }
    return left;
  };
  const or = () => {
    let left = and();
    while (take('||')) {
      const [one, other] = [left, and()];
      left = (value) => ($jmesTrue(one(value)) ? one(value) : other(value));
    }
    return left;
  };
  const and = () => {
    let left = compared();
    while (take('&&')) {
      const [one, other] = [left, compared()];
      left = (value) => ($jmesTrue(one(value)) ? other(value) : one(value));
    }
    return left;
  };
  const compared = () => {
    const left = not();
    const mark = tokens[at]?.mark;
    if (!['==', '!=', '<', '<=', '>', '>='].includes(mark)) return left;
    at++;
    const right = not();
    const same = (value) => JSON.stringify(left(value) ?? null) === JSON.stringify(right(value) ?? null);
    return { '==': same, '!=': (value) => !same(value), '<': (value) => left(value) < right(value), '<=': (value) => left(value) <= right(value), '>': (value) => left(value) > right(value), '>=': (value) => left(value) >= right(value) }[mark];
  };
  const not = () => {
    if (!take('!')) return path(head());
    const inner = not();
    return (value) => !$jmesTrue(inner(value));
  };
  const list = (close) => {
    const entries = [];
    while (!take(close)) {
      entries.push(take('&') ? ((inner) => () => inner)(pipe()) : pipe());
      take(',');
    }
    return entries;
  };
  const object = () => {
    const fields = [];
    while (!take('}')) {
      const key = tokens[at++].name;
      need(':');
      fields.push([key, pipe()]);
      take(',');
    }
    return (value) => (value === null || value === undefined ? null : Object.fromEntries(fields.map(([key, read]) => [key, read(value) ?? null])));
  };
  const head = () => {
    const token = tokens[at];
    if (token === undefined) throw new SyntaxError('JMESPath: unexpected end');
    if (['[', '[]', '[?', '*'].includes(token.mark)) return (value) => value;
    at++;
    if (token.mark === '@') return (value) => value;
    if (token.mark === '(') {
      const inner = pipe();
      need(')');
      return inner;
    }
    if (token.mark === '{') return object();
    if ('value' in token) return () => token.value;
    if ('name' in token) {
      if (!take('(')) return (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value[token.name] ?? null : null);
      const call = $jmesFunctions[token.name];
      const given = list(')');
      return (value) => call(...given.map((read) => read(value)));
    }
    throw new SyntaxError('JMESPath: unexpected ' + token.mark);
  };
  const path = (start, isInProjection = false) => {
    if (isInProjection && is('[]')) return start;
    const rest = () => path((value) => value, true);
    const onward = (next) => path(next, isInProjection);
    if (take('.')) {
      if (take('*')) {
        const after = rest();
        return onward((value) => project(after)(start(value) && typeof start(value) === 'object' ? Object.values(start(value)) : null));
      }
      if (take('[')) {
        const entries = list(']');
        return onward((value) => (start(value) === null ? null : entries.map((read) => read(start(value)) ?? null)));
      }
      const next = head();
      return onward((value) => next(start(value)));
    }
    if (take('*')) {
      const after = rest();
      return onward((value) => project(after)(Object.values(start(value) ?? {})));
    }
    if (take('[]')) {
      const after = rest();
      return onward((value) => project(after)(Array.isArray(start(value)) ? start(value).flat() : null));
    }
    if (take('[?')) {
      const test = pipe();
      need(']');
      const after = rest();
      return onward((value) => project(after)(Array.isArray(start(value)) ? start(value).filter((item) => $jmesTrue(test(item))) : null));
    }
    if (!take('[')) return start;
    if (take('*')) {
      need(']');
      const after = rest();
      return onward((value) => project(after)(start(value)));
    }
    if (tokens[at]?.number !== undefined && tokens[at + 1]?.mark === ']') {
      const index = tokens[at].number;
      at += 2;
      return onward((value) => (Array.isArray(start(value)) ? start(value).at(index) ?? null : null));
    }
    if (tokens[at]?.number !== undefined || is(':')) {
      const bounds = [undefined, undefined, undefined];
      for (let part = 0; part < 3 && !is(']'); part++) {
        if (tokens[at]?.number !== undefined) bounds[part] = tokens[at++].number;
        if (!take(':')) break;
      }
      need(']');
      const after = rest();
      return onward((value) => {
        const items = start(value);
        if (!Array.isArray(items)) return null;
        const step = bounds[2] ?? 1;
        return project(after)((step < 0 ? [...items].reverse() : items.slice(bounds[0], bounds[1])).filter((_, index) => index % Math.abs(step) === 0));
      });
    }
    const entries = list(']');
    return onward((value) => (start(value) === null ? null : entries.map((read) => read(start(value)) ?? null)));
  };
  const read = pipe();
  if (at < tokens.length) throw new SyntaxError('JMESPath: ' + expression);
  return read(data) ?? null;
};
const $jmesPath = $jmespath;
