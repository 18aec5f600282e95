import { hasTokens } from '../data/references';

const MILLISECONDS = /^\d+$/;

/** True if a typed text is neither empty nor a date; a text with references, also unfinished ones, is decided when the step runs. */
export function isNoDate(typed: string): boolean {
  const text = typed.trim();
  const isDecided = text !== '' && !text.includes('{{') && !hasTokens(text);
  return isDecided && !MILLISECONDS.test(text) && Number.isNaN(Date.parse(text));
}
