import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Menu } from '../../base/components/Menu';
import { say } from '../../base/components/Toasts';
import { useMay } from '../../base/permissions';
import { useStore } from '../../base/store';
import { t } from '../../base/text';
import { useBuilder } from '../context';
import { Markdown } from '../fields/MarkdownField';
import type { Note } from '../operations';
import { dragged, NOTE_COLORS, resized } from './model';

export function Notes({ scale }: { scale: number }) {
  const { builder } = useBuilder();
  const notes = useStore(builder.store, (now) => now.version.notes);
  return (
    <>
      {notes.map((note) => (
        <NoteCard key={note.id} note={note} scale={scale} />
      ))}
    </>
  );
}

function NoteCard({ note, scale }: { note: Note; scale: number }) {
  const { builder } = useBuilder();
  const mayWrite = useMay('WRITE_FLOW');
  const [shown, setShown] = useState<Note>();
  const text = useRef<HTMLTextAreaElement>(null);
  const now = shown ?? note;
  useEffect(() => {
    if (note.content === '') {
      text.current?.focus({ preventScroll: true });
    }
  }, []);
  const change = (next: Note): void => builder.perform({ type: 'UPDATE_NOTE', request: next });
  const follow =
    (turned: typeof dragged) =>
    (event: PointerEvent): void => {
      const handle = event.currentTarget as HTMLElement;
      const [x, y] = [event.clientX, event.clientY];
      const at = (move: PointerEvent): Note => turned(note, move.clientX - x, move.clientY - y, scale);
      handle.setPointerCapture(event.pointerId);
      handle.onpointermove = (move) => setShown(at(move));
      handle.onpointerup = (end) => {
        handle.onpointermove = null;
        handle.onpointerup = null;
        setShown(undefined);
        if (end.clientX !== x || end.clientY !== y) {
          change(at(end));
        }
      };
    };
  const nudge = (event: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-10, 0],
      ArrowRight: [10, 0],
      ArrowUp: [0, -10],
      ArrowDown: [0, 10],
    };
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      change((event.shiftKey ? resized : dragged)(note, step[0], step[1], 1));
    }
  };
  const drop = (): void => {
    builder.perform({ type: 'DELETE_NOTE', request: { id: note.id } });
    say(t('notes.deleted'), { label: t('builder.undo'), perform: () => builder.undo() });
  };
  return (
    <section
      class="note"
      data-solid
      data-note={note.id}
      data-color={now.color}
      aria-label={t('notes.one')}
      style={{
        left: `${now.position.x}px`,
        top: `${now.position.y}px`,
        width: `${now.size.width}px`,
        height: `${now.size.height}px`,
      }}>
      <header>
        <button
          type="button"
          class="note-handle"
          aria-label={t('notes.move')}
          disabled={!mayWrite}
          onPointerDown={follow(dragged)}
          onKeyDown={nudge}
        />
        <Menu
          label={t('notes.actions')}
          groups={[
            {
              title: t('notes.color'),
              items: NOTE_COLORS.map((color) => ({
                label: t(`notes.color.${color}`),
                checked: color === note.color,
                needs: 'WRITE_FLOW',
                perform: () => change({ ...note, color }),
              })),
            },
            { items: [{ label: t('base.delete'), icon: 'trash-2', danger: true, needs: 'WRITE_FLOW', perform: drop }] },
          ]}
          button={(wiring) => (
            <Button
              kind="quiet"
              size="small"
              icon="ellipsis"
              label={t('notes.actions')}
              onClick={wiring.onClick}
              more={{ 'aria-haspopup': 'menu', 'aria-expanded': wiring['aria-expanded'] }}
            />
          )}
        />
      </header>
      <div class="note-body">
        <textarea
          ref={text}
          aria-label={t('notes.text')}
          readOnly={!mayWrite}
          placeholder={t('notes.text')}
          value={note.content}
          onInput={(event) => change({ ...note, content: event.currentTarget.value })}
          onKeyDown={(event) => event.stopPropagation()}
          onWheel={(event) => event.stopPropagation()}
        />
        <div class="note-text prose">
          <div>
            <Markdown text={note.content} />
          </div>
        </div>
      </div>
      <span class="note-corner" aria-hidden="true" onPointerDown={mayWrite ? follow(resized) : undefined} />
    </section>
  );
}
