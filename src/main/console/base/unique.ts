/** Unique id. `crypto.randomUUID` does not exist on pages without HTTPS. */
export const unique = (): string =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
