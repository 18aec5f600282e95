/**
 * What this browser keeps of a person's choices. A frame inside another site's page may not keep anything: what cannot be
 * kept is forgotten with the page.
 */
const forNow = new Map<string, string>();

export const kept = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return forNow.get(key) ?? null;
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch (refused) {
      console.info('This browser keeps nothing for the page', refused);
      forNow.set(key, value);
    }
  },
  forget(key: string): void {
    try {
      localStorage.removeItem(key);
    } catch {
      forNow.delete(key);
    }
  },
};
