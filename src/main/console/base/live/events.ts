export interface ServerEvent {
  name: string;
  id: string;
  data: string;
}

/** An incomplete event waits for the next chunk. */
export function eventReader(): (piece: string) => ServerEvent[] {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const event = eventOf(block);
      return event ? [event] : [];
    });
  };
}

function eventOf(block: string): ServerEvent | undefined {
  const event: ServerEvent = { name: 'message', id: '', data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') {
      data.push(value);
    } else if (field === 'event') {
      event.name = value;
    } else if (field === 'id') {
      event.id = value;
    }
  }
  return data.length === 0 ? undefined : { ...event, data: data.join('\n') };
}

/** True for a refusal by the server itself: other statuses can come from a proxy, or from a server that starts. */
export const isFinal = (status: number): boolean => status === 401 || status === 403 || status === 404;
