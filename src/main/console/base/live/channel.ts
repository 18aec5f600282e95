import { useEffect } from 'preact/hooks';
import { tokenOfFrame } from '../api/credentials';
import { prefix } from '../prefix';
import { createStore } from '../store';
import { connect, event, PONG, read } from './packets';

export type LiveState = 'off' | 'connecting' | 'on' | 'lost';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Event channel of one project over Socket.IO. A lost connection is opened again with growing pauses; subscribers then
 * get `CONNECTED` and must reload their state.
 */
class Channel {
  readonly state = createStore<LiveState>('off');
  private readonly listeners = new Map<string, Set<(data: unknown) => void>>();
  private readonly waiting = new Map<number, (data: unknown) => void>();
  private socket: WebSocket | null = null;
  private projectId = '';
  private nextId = 0;
  private waitMs = FIRST_WAIT_MS;
  private watchdog = 0;

  /** Subscribes to another project; an empty id closes the channel. */
  join(projectId: string): void {
    if (projectId !== this.projectId) {
      this.projectId = projectId;
      this.socket?.close();
      this.socket = null;
      this.waitMs = FIRST_WAIT_MS;
      this.state.set('off');
      this.open();
    }
  }

  on(name: string, listener: (data: unknown) => void): () => void {
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known.add(listener));
    return () => known.delete(listener);
  }

  send(name: string, data: unknown): boolean {
    if (this.state.get() !== 'on') {
      return false;
    }
    this.socket?.send(event(name, data));
    return true;
  }

  /** Sends an event and waits for its acknowledgement; undefined if the connection is lost first. */
  ask(name: string, data: unknown): Promise<unknown> {
    if (this.state.get() !== 'on') {
      return Promise.resolve(undefined);
    }
    const id = this.nextId++;
    this.socket?.send(event(name, data, id));
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  private open(): void {
    if (this.projectId === '' || this.socket) {
      return;
    }
    this.state.set('connecting');
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${prefix}/api/socket.io/?EIO=4&transport=websocket`);
    this.socket = socket;
    socket.onmessage = (message) => this.take(socket, String(message.data));
    socket.onclose = () => this.lost(socket);
  }

  private take(socket: WebSocket, text: string): void {
    if (socket !== this.socket) {
      return;
    }
    const packet = read(text);
    switch (packet.kind) {
      case 'open':
        this.watch(socket, packet.pingMs);
        socket.send(connect({ projectId: this.projectId, ...(tokenOfFrame() ? { token: tokenOfFrame() } : {}) }));
        break;
      case 'ping':
        this.watch(socket, 0);
        socket.send(PONG);
        break;
      case 'connected':
        this.waitMs = FIRST_WAIT_MS;
        this.state.set('on');
        this.tell('CONNECTED', undefined);
        break;
      case 'event':
        this.tell(packet.name, packet.data);
        break;
      case 'answer':
        this.waiting.get(packet.id)?.(packet.data);
        this.waiting.delete(packet.id);
        break;
      case 'refused':
        this.waitMs = LONGEST_WAIT_MS;
        socket.close();
        break;
      case 'closed':
        socket.close();
        break;
      case 'other':
        break;
    }
  }

  private silentMs = 0;

  /** Closes a connection without pings: browsers can take minutes to notice a dead one. */
  private watch(socket: WebSocket, pingMs: number): void {
    this.silentMs = pingMs || this.silentMs;
    clearTimeout(this.watchdog);
    this.watchdog = window.setTimeout(() => socket.close(), this.silentMs);
  }

  private lost(socket: WebSocket): void {
    clearTimeout(this.watchdog);
    if (socket !== this.socket) {
      return;
    }
    this.socket = null;
    this.waiting.forEach((resolve) => resolve(undefined));
    this.waiting.clear();
    this.state.set('lost');
    setTimeout(() => this.open(), this.waitMs);
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
  }

  private tell(name: string, data: unknown): void {
    this.listeners.get(name)?.forEach((listener) => listener(data));
  }
}

export const channel = new Channel();

export function useLive(name: string, listener: (data: unknown) => void, dependencies: unknown[] = []): void {
  useEffect(() => channel.on(name, listener), [name, ...dependencies]);
}
