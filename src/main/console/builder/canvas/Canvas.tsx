import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { t } from '../../base/text';
import type { Place, Step } from '../steps';
import { layOut, meets, type Card, type Label, type Layout, type Slot } from './layout';
import { Minimap } from './Minimap';
import { StepCard, type Mark } from './StepCard';
import { useView } from './useView';
import { fitted, seenOf, showing, withSlots, zoomed, type Size, type View } from './view';

/** Scale of the canvas, the point in the middle of the window in canvas coordinates, and the cards of all steps. */
export interface Viewport {
  scale: number;
  middle: { x: number; y: number };
  cards: readonly Card[];
}

export interface CanvasProps {
  trigger: Step;
  label: string;
  selected?: string | undefined;
  onSelect: (name: string) => void;
  markOf?: (step: Step) => Mark | undefined;
  /** Label of a branch or a loop; by default its name. */
  labelOf?: (label: Label) => ComponentChildren;
  /** Button that adds a step at a place; without it the canvas is read-only. */
  slot?: (place: Place, last: boolean) => ComponentChildren;
  card?: (card: Card) => { draggable?: boolean; onContextMenu?: (event: MouseEvent) => void };
  /** Handles keys on a focused step, except arrow keys. */
  onKey?: (event: KeyboardEvent, step: Step) => void;
  /** Drawn on the canvas in its coordinates. */
  children?: (viewport: Viewport) => ComponentChildren;
  buttons?: (viewport: Viewport) => ComponentChildren;
}

/** Only the visible part is rendered. */
export function Canvas(props: CanvasProps) {
  const { trigger, selected } = props;
  const layout = useMemo(() => layOut(trigger), [trigger]);
  const frame = useRef<HTMLDivElement>(null);
  const { view, size, look, show } = useView(frame, layout);
  /** Makes a card visible, in an editor together with the places where the flow continues. */
  const bring =
    (card: Card) =>
    (now: View, room: Size): View =>
      showing(now, props.slot ? withSlots(layout, card, now, room) : card, room);
  useEffect(() => {
    const card = layout.cards.find((each) => each.step.name === selected);
    if (card && size.width > 0) {
      show(bring(card));
    }
  }, [selected, size.width > 0, size.width]);
  const seen = seenOf(view, size);
  const viewport: Viewport = {
    scale: view.scale,
    cards: layout.cards,
    middle: { x: (size.width / 2 - view.x) / view.scale, y: (size.height / 2 - view.y) / view.scale },
  };
  const steer = (event: KeyboardEvent): void => {
    const name = (event.target as HTMLElement).closest<HTMLElement>('[data-step]')?.dataset['step'];
    const card = layout.cards.find((each) => each.step.name === name);
    const next =
      card && !event.ctrlKey && !event.metaKey && !event.altKey ? beside(layout, card, event.key) : undefined;
    if (next) {
      event.preventDefault();
      look(bring(next));
      requestAnimationFrame(() =>
        frame.current?.querySelector<HTMLElement>(`[data-step="${next.step.name}"]`)?.focus({ preventScroll: true }),
      );
    } else if (card) {
      props.onKey?.(event, card.step);
    }
  };
  const zoom = (factor: number) => (): void =>
    look((now, room) => zoomed(now, factor, room.width / 2, room.height / 2));
  return (
    <div
      class="canvas"
      ref={frame}
      role="group"
      aria-label={props.label}
      onKeyDown={steer}
      style={{
        backgroundPosition: `${view.x}px ${view.y}px`,
        backgroundSize: `${20 * view.scale}px ${20 * view.scale}px`,
      }}>
      <div class="canvas-ground" style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}>
        <Drawn {...props} layout={layout} seen={seen} />
        {props.children?.(viewport)}
      </div>
      <div class="canvas-tools" data-solid>
        {props.buttons?.(viewport)}
        <Button kind="quiet" size="small" icon="zoom-out" label={t('canvas.smaller')} onClick={zoom(1 / 1.25)} />
        <button
          class="button quiet small canvas-scale"
          type="button"
          aria-label={t('canvas.actual')}
          onClick={zoom(1 / view.scale)}>
          {Math.round(view.scale * 100)}%
        </button>
        <Button kind="quiet" size="small" icon="zoom-in" label={t('canvas.larger')} onClick={zoom(1.25)} />
        <Button
          kind="quiet"
          size="small"
          icon="maximize"
          label={t('canvas.fit')}
          onClick={() => look((_, room) => fitted(layout, room))}
        />
      </div>
      <Minimap layout={layout} view={view} size={size} look={look} />
    </div>
  );
}

function Drawn({ layout, seen, ...props }: CanvasProps & { layout: Layout; seen: ReturnType<typeof seenOf> }) {
  const near = <T extends { x: number; y: number }>(all: T[], reach: number): T[] =>
    all.filter(({ x, y }) => meets({ x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach }, seen));
  return (
    <>
      <svg class="canvas-lines" width={layout.width} height={layout.height} aria-hidden="true">
        {layout.boxes
          .filter((box) => meets(box, seen))
          .map((box) => (
            <rect
              key={box.step.name}
              x={box.x}
              y={box.y}
              width={box.width}
              height={box.height}
              rx="14"
              class="canvas-loop"
            />
          ))}
        {layout.lines
          .filter((line) => meets(line, seen))
          .map((line, index) => (
            <path key={index} d={line.path} />
          ))}
      </svg>
      {near(layout.labels, 110).map((label) => (
        <div
          key={`${label.step.name}/${label.place.location}/${label.place.branchIndex ?? ''}`}
          class="canvas-label"
          style={{ left: `${label.x}px`, top: `${label.y}px` }}>
          {props.labelOf?.(label) ?? <span class="branch-name">{nameOf(label)}</span>}
        </div>
      ))}
      {layout.cards
        .filter((card) => meets(card, seen))
        .map((card) => (
          <StepCard
            key={card.step.name}
            card={card}
            selected={props.selected === card.step.name}
            reachable={card.step.name === (props.selected ?? 'trigger')}
            mark={props.markOf?.(card.step)}
            onSelect={() => props.onSelect(card.step.name)}
            {...props.card?.(card)}
          />
        ))}
      {props.slot
        ? near(layout.slots, 20).map((slot) => (
            <At key={keyOf(slot)} slot={slot}>
              {props.slot!(slot.place, slot.last)}
            </At>
          ))
        : null}
    </>
  );
}

const keyOf = ({ place }: Slot): string => `${place.parent}/${place.location}/${place.branchIndex ?? ''}`;

const At = ({ slot, children }: { slot: Slot; children: ComponentChildren }) => (
  <div class="canvas-slot" style={{ left: `${slot.x}px`, top: `${slot.y}px` }}>
    {children}
  </div>
);

export function nameOf({ step, place }: Label): string {
  switch (place.location) {
    case 'INSIDE_LOOP':
      return t('canvas.eachItem');
    case 'INSIDE_ON_SUCCESS_BRANCH':
      return t('canvas.onSuccess');
    case 'INSIDE_ON_FAILURE_BRANCH':
      return t('canvas.onFailure');
    default:
      return step.settings.branches?.[place.branchIndex ?? 0]?.branchName ?? '';
  }
}

/** Nearest card in the direction of an arrow key; sideways distance weighs more. */
function beside(layout: Layout, from: Card, key: string): Card | undefined {
  const middle = (card: Card): { x: number; y: number } => ({ x: card.x + card.width / 2, y: card.y });
  const here = middle(from);
  const best = (
    good: (dx: number, dy: number) => boolean,
    cost: (dx: number, dy: number) => number,
  ): Card | undefined =>
    layout.cards
      .map((card) => ({ card, dx: middle(card).x - here.x, dy: middle(card).y - here.y }))
      .filter(({ card, dx, dy }) => card !== from && good(dx, dy))
      .sort((one, other) => cost(one.dx, one.dy) - cost(other.dx, other.dy))[0]?.card;
  const down = (dx: number, dy: number): number => Math.abs(dy) + 0.6 * Math.abs(dx);
  const across = (dx: number, dy: number): number => Math.abs(dx) + 3 * Math.abs(dy);
  switch (key) {
    case 'ArrowDown':
      return best((_, dy) => dy > 0, down);
    case 'ArrowUp':
      return best((_, dy) => dy < 0, down);
    case 'ArrowRight':
      return best((dx) => dx > 20, across);
    case 'ArrowLeft':
      return best((dx) => dx < -20, across);
    case 'Home':
      return layout.cards[0];
    case 'End':
      return layout.cards.at(-1);
    default:
      return undefined;
  }
}
