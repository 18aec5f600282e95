import { useRef } from 'preact/hooks';

/** Draggable edge of a column; a double click restores the default width. The column menu does the same by keyboard. */
export function ColumnEdge({ width, onWidth }: { width: number; onWidth: (width: number | undefined) => void }) {
  const held = useRef<{ x: number; width: number } | undefined>(undefined);
  return (
    <span
      class="column-edge"
      aria-hidden="true"
      onDblClick={() => onWidth(undefined)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => held.current && onWidth(held.current.width + event.clientX - held.current.x)}
      onLostPointerCapture={() => {
        held.current = undefined;
      }}
    />
  );
}
