/**
 * What this browser keeps of a person's choices. A frame inside another site's page may not keep anything, and a browser may
 * be full: what cannot be kept is forgotten with the page.
 */
const forNow = new Map<string, string>();

export const kept = {
  get(key: string): string | null {
    try {
      return forNow.get(key) ?? localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
      forNow.delete(key);
    } catch (refused) {
      console.info('This browser keeps nothing for the page', refused);
      forNow.set(key, value);
    }
  },
  forget(key: string): void {
    forNow.delete(key);
    try {
      localStorage.removeItem(key);
    } catch (refused) {
      console.info('This browser keeps nothing for the page', refused);
    }
  },
};
