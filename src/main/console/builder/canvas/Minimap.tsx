import type { Layout } from './layout';
import type { Size, View } from './view';

const WIDTH = 168;
const HEIGHT = 120;

interface Props {
  layout: Layout;
  view: View;
  size: Size;
  look: (change: (view: View, size: Size) => View) => void;
}

/** Overview of a canvas that is larger than the window; press or drag to move there. The keyboard does not need it. */
export function Minimap({ layout, view, size, look }: Props) {
  const fits = layout.height * view.scale <= size.height && layout.width * view.scale <= size.width;
  if (fits || size.width === 0) {
    return null;
  }
  const small = Math.min(WIDTH / layout.width, HEIGHT / layout.height);
  const go = (event: PointerEvent): void => {
    const frame = (event.currentTarget as Element).getBoundingClientRect();
    const [x, y] = [(event.clientX - frame.x) / small, (event.clientY - frame.y) / small];
    look((now, room) => ({ ...now, x: room.width / 2 - x * now.scale, y: room.height / 2 - y * now.scale }));
  };
  return (
    <svg
      class="minimap"
      data-solid
      aria-hidden="true"
      width={Math.max(24, layout.width * small)}
      height={layout.height * small}
      onPointerDown={(event) => {
        event.stopPropagation();
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && go(event)}>
      {layout.cards.map((card) => (
        <rect
          key={card.step.name}
          class="minimap-card"
          x={card.x * small}
          y={card.y * small}
          width={card.width * small}
          height={Math.max(1, card.height * small)}
          rx="1"
        />
      ))}
      <rect
        class="minimap-seen"
        x={(-view.x / view.scale) * small}
        y={(-view.y / view.scale) * small}
        width={(size.width / view.scale) * small}
        height={(size.height / view.scale) * small}
        rx="2"
      />
    </svg>
  );
}
