/** A text that nobody else has. Where the page came without encryption, the browser gives no ready id. */
export const unique = (): string =>
  crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
