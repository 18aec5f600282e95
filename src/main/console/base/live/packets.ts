import { parseJson } from '../json';

/** Packets of Engine.IO and Socket.IO 4, as far as this channel uses them. */
export type Packet =
  | { kind: 'open'; pingMs: number }
  | { kind: 'ping' }
  | { kind: 'connected' }
  | { kind: 'refused'; message: string }
  | { kind: 'event'; name: string; data: unknown }
  | { kind: 'answer'; id: number; data: unknown }
  | { kind: 'closed' }
  | { kind: 'other' };

export function read(text: string): Packet {
  const json = (from: number): unknown => parseJson(text.slice(from));
  switch (text.slice(0, text[0] === '4' ? 2 : 1)) {
    case '0': {
      const open = json(1) as { pingInterval: number; pingTimeout: number };
      return { kind: 'open', pingMs: open.pingInterval + open.pingTimeout };
    }
    case '2':
      return { kind: 'ping' };
    case '1':
    case '41':
      return { kind: 'closed' };
    case '40':
      return { kind: 'connected' };
    case '42': {
      const [name, data] = json(text.indexOf('[')) as [string, unknown];
      return { kind: 'event', name, data };
    }
    case '43': {
      const at = text.indexOf('[');
      return { kind: 'answer', id: Number(text.slice(2, at)), data: (json(at) as unknown[])[0] };
    }
    case '44':
      return { kind: 'refused', message: (json(2) as { message?: string }).message ?? '' };
    default:
      return { kind: 'other' };
  }
}

export const PONG = '3';
export const connect = (auth: Record<string, string>): string => '40' + JSON.stringify(auth);
export const event = (name: string, data: unknown, id?: number): string =>
  `42${id ?? ''}${JSON.stringify([name, data])}`;
