/**
 * Choices of the user in the local storage. In a third-party frame, or when the storage is full, a choice that cannot
 * be stored lasts until the page is closed.
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
