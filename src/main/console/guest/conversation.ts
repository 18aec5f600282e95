import type { Answer } from './answer';

/** One thing that was said, or why nothing was. */
export type Message =
  | { by: 'guest'; text: string; files: string[] }
  | { by: 'bot'; answer: Answer }
  | { by: 'nobody'; words: string; text: string; again: boolean };

/** A conversation of this tab. The flow tells its conversations apart by the session. */
export interface Talk {
  session: string;
  messages: Message[];
}

/** Beyond this the oldest is forgotten: a tab keeps some megabytes at most. */
const KEPT_MAX = 200;
const place = (flowId: string): string => `millrace.chat.${flowId}`;
const fresh = (): Talk => ({ session: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`, messages: [] });

/** What this tab remembers; a new conversation where it remembers nothing. */
export function kept(flowId: string): Talk {
  const text = sessionStorage.getItem(place(flowId));
  try {
    return text === null ? fresh() : (JSON.parse(text) as Talk);
  } catch {
    return fresh();
  }
}

/** Remembers it for as long as the tab is open; what is too much for the browser is shown all the same. */
export function keep(flowId: string, talk: Talk): void {
  try {
    sessionStorage.setItem(place(flowId), JSON.stringify({ ...talk, messages: talk.messages.slice(-KEPT_MAX) }));
  } catch {
    sessionStorage.removeItem(place(flowId));
  }
}

/** Begins anew. */
export function forget(flowId: string): Talk {
  sessionStorage.removeItem(place(flowId));
  return fresh();
}
