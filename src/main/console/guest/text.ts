import { guest } from '../base/text/guest';

export type GuestTextKey = keyof typeof guest;

let texts: Record<GuestTextKey, string> = guest;

/** Sets the translations for the next rendering; missing ones fall back to English. */
export function speak(others: Partial<Record<GuestTextKey, string>>): void {
  texts = { ...guest, ...others };
}

/** Text with its placeholders filled: `{name}`. */
export function t(key: GuestTextKey, places: Record<string, string | number> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(places[name] ?? whole));
}
