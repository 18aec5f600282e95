import { useEffect, useRef, useState } from 'preact/hooks';
import { unique } from '../../base/unique';
import { wordsOf } from '../failureWords';
import type { Place } from '../place';
import { send, webhookOf, type Sending } from '../server';
import { t } from '../text';
import {
  answered,
  begun,
  failed,
  kept,
  resumed,
  said,
  without,
  type Conversation,
  type GuestMessage,
} from './conversation';

export interface ChatState {
  conversation: Conversation;
  busy: boolean;
  /** Sent share of the message, from 0 to 1. */
  share: number;
  /** True if the storage of this tab is full. */
  full: boolean;
  say: (text: string, files: readonly File[]) => void;
  /** Sends a failed message again; returns its text if its files are lost and must be attached again. */
  retry: (message: GuestMessage) => string | undefined;
  restart: () => void;
}

/** Conversation in the session storage of this tab, under a random id. */
export function useChat(place: Place): ChatState {
  const key = `millrace.chat.${place.flowId}${place.draft ? '.draft' : ''}`;
  const [conversation, setConversation] = useState<Conversation>(
    () => resumed(sessionStorage.getItem(key), t('failure.offline')) ?? begun(unique()),
  );
  const [share, setShare] = useState<number>();
  const [full, setFull] = useState(false);
  const files = useRef(new Map<number, readonly File[]>());
  const sending = useRef<Sending | undefined>(undefined);
  useEffect(() => {
    try {
      sessionStorage.setItem(key, kept(conversation));
      setFull(false);
    } catch {
      setFull(true);
    }
  }, [conversation]);

  const deliver = async (from: Conversation, text: string, attached: readonly File[], key: string): Promise<void> => {
    if (sending.current) {
      return;
    }
    const { next, message } = said(
      from,
      text,
      attached.map((file) => file.name),
      key,
    );
    files.current.set(message.id, attached);
    setConversation(next);
    setShare(0);
    const mine = send(webhookOf(place, true), key, bodyOf(from.sessionId, text, attached), setShare);
    sending.current = mine;
    const result = await mine.answer;
    if (sending.current !== mine) {
      return;
    }
    sending.current = undefined;
    setShare(undefined);
    setConversation((now) =>
      result.ok
        ? answered(now, message.id, result.value)
        : failed(now, message.id, wordsOf(result.failure), result.failure.status !== 0, unique()),
    );
  };
  return {
    conversation,
    busy: share !== undefined,
    share: share ?? 0,
    full,
    say: (text, attached) => void deliver(conversation, text, attached, unique()),
    retry: (message) => {
      const attached = files.current.get(message.id) ?? [];
      const rest = without(conversation, message.id);
      if (attached.length < message.files.length) {
        setConversation(rest);
        return message.text;
      }
      // Messages stored by earlier releases have no key.
      void deliver(rest, message.text, attached, message.key ?? unique());
      return undefined;
    },
    restart: () => {
      const ended = sending.current;
      sending.current = undefined;
      ended?.cancel();
      files.current.clear();
      setShare(undefined);
      setConversation(begun(unique()));
    },
  };
}

/** Flows need a text with every message: one without it names its files. */
function bodyOf(sessionId: string, text: string, files: readonly File[]): FormData | object {
  const message = text || files.map((file) => file.name).join(', ');
  if (files.length === 0) {
    return { sessionId, message };
  }
  const body = new FormData();
  body.append('sessionId', sessionId);
  body.append('message', message);
  files.forEach((file, index) => body.append(`files[${index}]`, file, file.name));
  return body;
}
