/*
 * URL and URLSearchParams for user code, evaluated when one of the names is first used. Follows the WHATWG standard for
 * the addresses that flows meet; leaves out internationalised host names and the many spellings of IPv4 addresses.
 */
(function () {
  'use strict';

  const ports = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443', 'ftp:': '21' };
  const form =
    /^([a-z][a-z0-9+.-]*:)(?:\/\/(?:([^/?#@:]*)(?::([^/?#@]*))?@)?(\[[0-9a-f:.]+\]|[^/?#:[\]@]*)(?::(\d{0,5}))?(?=[/?#]|$))?([^?#]*)(\?[^#]*)?(#[^]*)?$/i;

  const encode = (text, keep) =>
    encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (code) => {
      const character = String.fromCharCode(parseInt(code.slice(1), 16));
      return keep.includes(character) ? character : code;
    });
  const encodePath = (text) => encode(text, "%/:@!$&'()*+,;=[]|^");
  const encodeQuery = (text) => encode(text, '%?/:@!$&()*+,;=[]{}|^\\`').replace(/'/g, '%27');
  const encodeForm = (text) =>
    encodeURIComponent(text)
      .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
      .replace(/%20/g, '+');
  const decodeForm = (text) => {
    const spaced = text.replace(/\+/g, ' ');
    try {
      return decodeURIComponent(spaced);
    } catch {
      return spaced;
    }
  };

  const withoutDots = (path) => {
    const kept = [];
    const parts = path.split('/').slice(1);
    parts.forEach((part, at) => {
      const plain = part.replace(/%2e/gi, '.');
      if (plain === '..') kept.pop();
      else if (plain !== '.') kept.push(part);
      if ((plain === '..' || plain === '.') && at === parts.length - 1) kept.push('');
    });
    return `/${kept.join('/')}`;
  };

  class URLSearchParams {
    #pairs = [];
    #changed;

    constructor(init = '', changed = undefined) {
      this.#changed = typeof changed === 'function' ? changed : () => {};
      if (init !== null && typeof init === 'object') {
        const entries = typeof init[Symbol.iterator] === 'function' ? [...init] : Object.entries(init);
        this.#pairs = entries.map(([name, value]) => [String(name), String(value)]);
      } else {
        this.#pairs = String(init)
          .replace(/^\?/, '')
          .split('&')
          .filter((pair) => pair !== '')
          .map((pair) => {
            const at = pair.indexOf('=');
            return at < 0
              ? [decodeForm(pair), '']
              : [decodeForm(pair.slice(0, at)), decodeForm(pair.slice(at + 1))];
          });
      }
    }

    get size() {
      return this.#pairs.length;
    }
    get(name) {
      return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
    }
    has(name, value) {
      return this.#pairs.some(([key, held]) => key === String(name) && (value === undefined || held === String(value)));
    }
    append(name, value) {
      this.#pairs.push([String(name), String(value)]);
      this.#changed(this);
    }
    set(name, value) {
      const at = this.#pairs.findIndex(([key]) => key === String(name));
      const pair = [String(name), String(value)];
      this.#pairs = this.#pairs.filter(([key], index) => key !== pair[0] || index === at);
      if (at < 0) this.#pairs.push(pair);
      else this.#pairs[this.#pairs.findIndex(([key]) => key === pair[0])] = pair;
      this.#changed(this);
    }
    delete(name, value) {
      this.#pairs = this.#pairs.filter(
        ([key, held]) => key !== String(name) || (value !== undefined && held !== String(value)),
      );
      this.#changed(this);
    }
    sort() {
      this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      this.#changed(this);
    }
    forEach(callback, self) {
      this.#pairs.forEach(([name, value]) => callback.call(self, value, name, this));
    }
    *entries() {
      for (const [name, value] of this.#pairs) yield [name, value];
    }
    *keys() {
      for (const [name] of this.#pairs) yield name;
    }
    *values() {
      for (const [, value] of this.#pairs) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return this.#pairs.map(([name, value]) => `${encodeForm(name)}=${encodeForm(value)}`).join('&');
    }
  }

  class URL {
    protocol;
    username;
    password;
    hostname;
    port;
    pathname;
    hash;
    #query = '';
    #parameters;
    #hasHost;

    constructor(address, base = undefined) {
      const text = String(address).trim();
      const whole = /^[a-z][a-z0-9+.-]*:/i.test(text) || base === undefined ? text : URL.#resolved(text, new URL(base));
      const parts = form.exec(whole);
      const protocol = parts?.[1].toLowerCase();
      const host = parts?.[4];
      const unusable = !parts || (Object.hasOwn(ports, protocol) && !host) || Number(parts[5] || 0) > 65535;
      if (unusable || /[\s<>^|%]/.test(host ?? '')) throw new TypeError(`Invalid URL: ${text}`);
      this.protocol = protocol;
      this.#hasHost = host !== undefined;
      this.username = parts[2] ?? '';
      this.password = parts[3] ?? '';
      this.hostname = (host ?? '').toLowerCase();
      this.port = parts[5] && String(Number(parts[5])) !== ports[protocol] ? String(Number(parts[5])) : '';
      const path = encodePath(parts[6]);
      this.pathname = this.#hasHost ? withoutDots(path || '/') : path;
      this.search = parts[7] ?? '';
      this.hash = parts[8] && parts[8] !== '#' ? `#${encodeQuery(parts[8].slice(1))}` : '';
    }

    static #resolved(text, base) {
      if (text.startsWith('//')) return base.protocol + text;
      if (text.startsWith('/')) return base.#root() + text;
      if (text.startsWith('?')) return base.#root() + base.pathname + text;
      if (text === '' || text.startsWith('#')) return base.#root() + base.pathname + base.search + text;
      return base.#root() + base.pathname.replace(/[^/]*$/, '') + text;
    }
    static canParse(address, base) {
      return URL.parse(address, base) !== null;
    }
    static parse(address, base) {
      try {
        return new URL(address, base);
      } catch {
        return null;
      }
    }

    #root() {
      const secret = this.password ? `:${this.password}` : '';
      const user = this.username || secret ? `${this.username}${secret}@` : '';
      return this.protocol + (this.#hasHost ? `//${user}${this.host}` : '');
    }
    get search() {
      return this.#query;
    }
    set search(value) {
      const query = String(value).replace(/^\?/, '');
      this.#query = query === '' ? '' : `?${encodeQuery(query)}`;
      this.#parameters = undefined;
    }
    get searchParams() {
      this.#parameters ??= new URLSearchParams(this.#query, (changed) => {
        this.#query = changed.size === 0 ? '' : `?${changed}`;
      });
      return this.#parameters;
    }
    get host() {
      return this.hostname + (this.port ? `:${this.port}` : '');
    }
    get origin() {
      return Object.hasOwn(ports, this.protocol) ? `${this.protocol}//${this.host}` : 'null';
    }
    get href() {
      return this.#root() + this.pathname + this.search + this.hash;
    }
    toString() {
      return this.href;
    }
    toJSON() {
      return this.href;
    }
  }

  return { URL, URLSearchParams };
})
