import { readToHost, type ToConsole, type ToHost } from './messages';

interface Options {
  container: HTMLElement;
  /** Token signed by the host's server; a function is called again when a session has ended. */
  token: string | (() => string | Promise<string>);
  /** First path, such as `/flows` or `/runs`. */
  path?: string;
  hideNavigation?: boolean;
  theme?: 'system' | 'light' | 'dark';
  /** Accessible name of the frame. */
  title?: string;
  on?: {
    signedIn?: (projectId: string) => void;
    route?: (path: string) => void;
    failed?: (why: { code: string; message: string }) => void;
  };
}

interface Embedded {
  frame: HTMLIFrameElement;
  navigate: (path: string) => void;
  hideNavigation: (hide: boolean) => void;
  remove: () => void;
}

/** A loaded frame that is silent for this time was blocked by the browser, or is not the console. */
const SILENT_MS = 5_000;

const script = document.currentScript as HTMLScriptElement | null;
const server = (script?.src ?? '').replace(/\/assets\/embed\.js.*$/, '');

function embed(options: Options): Embedded {
  const frame = document.createElement('iframe');
  const origin = new URL(server).origin;
  let heard = false;
  const tell = (message: ToConsole): void => frame.contentWindow?.postMessage(message, origin);
  const configure = async (): Promise<void> => {
    try {
      const token = typeof options.token === 'string' ? options.token : await options.token();
      tell({
        millrace: 'configure',
        token,
        path: options.path,
        hideNavigation: options.hideNavigation,
        theme: options.theme,
      });
    } catch (problem) {
      options.on?.failed?.({ code: 'TOKEN', message: String(problem) });
    }
  };
  const take = (message: ToHost): void => {
    heard = true;
    switch (message.millrace) {
      case 'ready':
        void configure();
        break;
      case 'signedIn':
        options.on?.signedIn?.(message.projectId);
        break;
      case 'route':
        options.on?.route?.(message.path);
        break;
      case 'failed':
        options.on?.failed?.({ code: message.code, message: message.message });
        break;
    }
  };
  const hear = (event: MessageEvent): void => {
    const message =
      event.source === frame.contentWindow && event.origin === origin ? readToHost(event.data) : undefined;
    if (message) {
      take(message);
    }
  };
  window.addEventListener('message', hear);
  frame.addEventListener('load', () =>
    setTimeout(() => {
      if (!heard && frame.isConnected) {
        options.on?.failed?.({
          code: 'REFUSED',
          message: `${origin} does not let this page show it: ${location.origin} is no allowed origin.`,
        });
      }
    }, SILENT_MS),
  );
  frame.title = options.title ?? 'Automation';
  frame.name = 'millrace';
  frame.style.cssText = 'display:block;width:100%;height:100%;border:0';
  frame.allow = 'clipboard-write';
  frame.src = `${server}/embed`;
  options.container.append(frame);
  return {
    frame,
    navigate: (path) => tell({ millrace: 'navigate', path }),
    hideNavigation: (hide) => tell({ millrace: 'hideNavigation', hide }),
    remove: () => {
      window.removeEventListener('message', hear);
      frame.remove();
    },
  };
}

declare global {
  interface Window {
    millrace?: { embed: typeof embed };
  }
}

window.millrace = { embed };
