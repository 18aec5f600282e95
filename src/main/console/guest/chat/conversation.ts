import { answerOf, type Answer } from '../answer';

export type Message =
  | {
      id: number;
      by: 'guest';
      text: string;
      files: string[];
      state: 'sending' | 'sent' | 'failed';
      problem?: string;
      key: string;
    }
  | { id: number; by: 'bot'; answer: Answer };

export interface Conversation {
  sessionId: string;
  messages: Message[];
}

export type GuestMessage = Extract<Message, { by: 'guest' }>;

export const begun = (sessionId: string): Conversation => ({ sessionId, messages: [] });

const nextId = ({ messages }: Conversation): number => (messages.at(-1)?.id ?? 0) + 1;

/**
 * Adds a message in state `sending`.
 *
 * @param key idempotency key of all its attempts
 */
export function said(
  now: Conversation,
  text: string,
  files: string[],
  key: string,
): { next: Conversation; message: GuestMessage } {
  const message: GuestMessage = { id: nextId(now), by: 'guest', text, files, state: 'sending', key };
  return { next: { ...now, messages: [...now.messages, message] }, message };
}

export const marked = (
  now: Conversation,
  id: number,
  state: GuestMessage['state'],
  problem?: string,
): Conversation => ({
  ...now,
  messages: now.messages.map((message) =>
    message.id === id && message.by === 'guest'
      ? { ...withoutProblem(message), state, ...(problem ? { problem } : {}) }
      : message,
  ),
});

/**
 * Marks a message as failed. Without a response it keeps its key: a retry gets the answer to the first attempt. After a
 * response a retry is a new message with a new key.
 */
export const failed = (
  now: Conversation,
  id: number,
  problem: string,
  isAnswered: boolean,
  fresh: string,
): Conversation => {
  const next = marked(now, id, 'failed', problem);
  return {
    ...next,
    messages: next.messages.map((message) =>
      isAnswered && message.id === id && message.by === 'guest' ? { ...message, key: fresh } : message,
    ),
  };
};

const withoutProblem = ({ problem: _, ...message }: GuestMessage): GuestMessage => message;

export function answered(now: Conversation, id: number, body: unknown): Conversation {
  const next = marked(now, id, 'sent');
  return { ...next, messages: [...next.messages, { id: nextId(next), by: 'bot', answer: answerOf(body) }] };
}

/** Removes a message that is about to be sent again at the end. */
export const without = (now: Conversation, id: number): Conversation => ({
  ...now,
  messages: now.messages.filter((message) => message.id !== id),
});

/** Conversation after a reload: messages in transit have lost their answer. */
export function resumed(kept: string | null, lost: string): Conversation | undefined {
  if (kept === null) {
    return undefined;
  }
  try {
    const found = JSON.parse(kept) as Conversation;
    return typeof found.sessionId === 'string' && Array.isArray(found.messages)
      ? found.messages.reduce(
          (now, message) =>
            message.by === 'guest' && message.state === 'sending' ? marked(now, message.id, 'failed', lost) : now,
          found,
        )
      : undefined;
  } catch {
    return undefined;
  }
}

/** Stored form: contents of files are too large for it, so only their names remain. */
export const kept = (now: Conversation): string =>
  JSON.stringify({
    ...now,
    messages: now.messages.map((message) =>
      message.by === 'bot'
        ? {
            ...message,
            answer: { ...message.answer, files: message.answer.files.filter((file) => !file.url.startsWith('data:')) },
          }
        : message,
    ),
  });
