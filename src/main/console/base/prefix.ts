/** Path prefix of this server; empty if the server is at the root of its host. */
export const prefix: string = document.documentElement.dataset['prefix'] ?? '';
