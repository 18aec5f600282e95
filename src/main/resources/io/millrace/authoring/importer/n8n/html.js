const $voidTags = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
const $entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const $decode = (text) => text.replaceAll(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (match, name) =>
  (name[0] === '#' ? String.fromCodePoint(Math.min(0x10ffff, name[1] === 'x' ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10))) : ($entities[name] ?? match)));
const $parseHtml = (html) => {
  const root = { tag: '', attributes: {}, children: [], start: 0 };
  const open = [root];
  const pattern = /<!--[\s\S]*?-->|<!\w[^>]*>|<(\/?)([a-zA-Z][\w:-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>|([^<]+|<)/g;
  for (let match = pattern.exec(html); match !== null; match = pattern.exec(html)) {
    const [whole, close, name, rest, text] = match;
    if (text !== undefined) open.at(-1).children.push(text);
    if (name === undefined) continue;
    const tag = name.toLowerCase();
    if (close) {
      const at = open.findLastIndex((element) => element.tag === tag);
      if (at > 0) open.length = at;
      continue;
    }
    const attributes = Object.fromEntries([...rest.matchAll(/([^\s"'=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/g)].map((one) => [one[1].toLowerCase(), $decode(one[2] ?? one[3] ?? one[4] ?? '')]));
    const element = { tag, attributes, children: [] };
    open.at(-1).children.push(element);
    if (tag === 'script' || tag === 'style') {
      const end = html.toLowerCase().indexOf('</' + tag, pattern.lastIndex);
      element.children.push(html.slice(pattern.lastIndex, end < 0 ? html.length : end));
      pattern.lastIndex = end < 0 ? html.length : end;
    } else if (!$voidTags.has(tag) && !whole.endsWith('/>') && open.length < 500) open.push(element);
  }
  return root;
};
const $textOf = (node) => (typeof node === 'string' ? $decode(node) : node.children.map($textOf).join(''));
const $htmlOf = (node) => (typeof node === 'string' ? node : '<' + node.tag + Object.entries(node.attributes).map(([key, value]) => ' ' + key + '="' + value.replaceAll('"', '&quot;') + '"').join('') + '>' + ($voidTags.has(node.tag) ? '' : node.children.map($htmlOf).join('') + '</' + node.tag + '>'));
const $elements = (node) => node.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...$elements(child)]));
const $matchesOne = (element, simple) => {
  const parts = simple.match(/^[\w*-]+|#[\w-]+|\.[\w-]+|\[[^\]]+\]|:[\w-]+(?:\([^)]*\))?/g) ?? [];
  return parts.every((part) => {
    if (part[0] === '#') return element.attributes.id === part.slice(1);
    if (part[0] === '.') return (element.attributes.class ?? '').split(/\s+/).includes(part.slice(1));
    if (part[0] === ':') return false;
    if (part[0] !== '[') return part === '*' || element.tag === part.toLowerCase();
    const [, name, sign, value] = /^\[([\w:-]+)(?:([~^$*|]?=)["']?(.*?)["']?)?\]$/.exec(part) ?? [];
    const own = element.attributes[name];
    if (own === undefined || sign === undefined) return own !== undefined;
    return { '=': own === value, '^=': own.startsWith(value), '$=': own.endsWith(value), '*=': own.includes(value), '~=': own.split(/\s+/).includes(value) }[sign] ?? false;
  });
};
const $selectHtml = (root, selector) => {
  const found = selector.split(',').flatMap((one) => {
    let current = [root];
    let direct = false;
    for (const word of one.trim().replaceAll(/\s*>\s*/g, ' > ').split(/\s+/)) {
      if (word === '>') {
        direct = true;
        continue;
      }
      current = [...new Set(current.flatMap((node) => (direct ? node.children.filter((child) => typeof child !== 'string') : $elements(node))).filter((element) => $matchesOne(element, word)))];
      direct = false;
    }
    return current;
  });
  return [...new Set(found)];
};
const $extractHtml = (html, values) => {
  const root = $parseHtml(Array.isArray(html) ? html.join('') : String(html ?? ''));
  return Object.fromEntries((values ?? []).map((value) => {
    const texts = $selectHtml(root, value.cssSelector ?? '').map((element) =>
      (value.returnValue === 'html' ? element.children.map($htmlOf).join('') : value.returnValue === 'attribute' ? element.attributes[value.attribute] : value.returnValue === 'value' ? element.attributes.value : $textOf(element).replaceAll(/\s+/g, ' ').trim()));
    return [value.key, value.returnArray ? texts : texts[0] ?? ''];
  }));
};
