/** Path in front of every path of this server; empty where it stands at the root of its host. */
export const prefix: string = document.documentElement.dataset['prefix'] ?? '';
