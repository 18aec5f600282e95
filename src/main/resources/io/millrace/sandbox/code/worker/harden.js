/*
 * Makes a realm that many calls may share: nothing that one call can reach keeps what it wrote. Evaluated once, after the
 * prelude and before any code of users. Every object of the language and of the prelude is frozen, with all that hangs on
 * it; what would let an earlier call act in a later one is taken out. Assigning to a property that an object inherits
 * keeps working where programs do so: those properties become accessors that write to the object itself.
 */
(function () {
  'use strict';

  const { defineProperty, freeze, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, prototype } = Object;
  const { ownKeys, apply } = Reflect;
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  /* Callbacks of a collected object come when they come, also in somebody else's call. */
  delete globalThis.FinalizationRegistry;
  delete globalThis.WeakRef;

  /* Read now what is read when first used, or the frozen global object could not keep it. */
  for (const name of getOwnPropertyNames(globalThis)) void globalThis[name];

  /* What only syntax reaches. */
  const hidden = [
    () => getPrototypeOf(function* () {}),
    () => getPrototypeOf(async function () {}),
    () => getPrototypeOf(async function* () {}),
    () => getPrototypeOf((function* () {})()),
    () => getPrototypeOf((async function* () {})()),
    () => [][Symbol.iterator](),
    () => ''[Symbol.iterator](),
    () => new Map()[Symbol.iterator](),
    () => new Set()[Symbol.iterator](),
    () => 'a'.matchAll(/a/g),
    () => [].values().map((value) => value),
    () => Iterator.from({ next: () => ({ done: true }) }),
    () => new Intl.Segmenter().segment('a'),
    () => new Intl.Segmenter().segment('a')[Symbol.iterator](),
    () => new URLSearchParams('a=1')[Symbol.iterator](),
    () => new URLSearchParams('a=1').keys(),
    () => new URLSearchParams('a=1').values(),
    () => new URLSearchParams('a=1').entries(),
    () => getOwnPropertyDescriptor((function () { return arguments; })(), 'callee').get,
    () => getOwnPropertyDescriptor(Function.prototype, 'caller').get,
    () => Proxy.revocable({}, {}).revoke,
    () => Promise.withResolvers().resolve,
  ];
  const absent = (make) => {
    try {
      return make();
    } catch {
      /* This engine has no such thing. */
      return undefined;
    }
  };

  const found = new Set();
  const open = [globalThis, ...hidden.map(absent)].filter(isObject);
  const visit = (value) => {
    if (isObject(value) && !found.has(value)) open.push(value);
  };
  while (open.length > 0) {
    const value = open.pop();
    if (found.has(value)) continue;
    found.add(value);
    visit(getPrototypeOf(value));
    for (const key of ownKeys(value)) {
      const property = getOwnPropertyDescriptor(value, key);
      visit(property.value);
      visit(property.get);
      visit(property.set);
    }
  }

  const inherited = new Set([...ownKeys(prototype), 'name', 'message', 'toJSON']);
  const isPrototype = (value) => {
    const maker = getOwnPropertyDescriptor(value, 'constructor');
    return maker !== undefined && typeof maker.value === 'function' && value !== globalThis;
  };
  const letOverride = (owner, key) => {
    const property = getOwnPropertyDescriptor(owner, key);
    if (!property.configurable || !property.writable) return;
    const { value, enumerable } = property;
    const accessors = {
      get() {
        return value;
      },
      set(written) {
        if (this === owner) throw new TypeError(`Cannot assign to read only property '${String(key)}'`);
        defineProperty(this, key, { value: written, writable: true, enumerable: true, configurable: true });
      },
    };
    defineProperty(owner, key, { get: accessors.get, set: accessors.set, enumerable, configurable: false });
    freeze(accessors.get);
    freeze(accessors.set);
  };

  const prototypes = [...found].filter(isPrototype);
  prototypes.forEach((owner) => ownKeys(owner).filter((key) => inherited.has(key)).forEach((key) => letOverride(owner, key)));
  found.forEach((value) => apply(freeze, undefined, [value]));
});
