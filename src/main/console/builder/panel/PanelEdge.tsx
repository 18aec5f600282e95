import { useRef, useState } from 'preact/hooks';
import { kept } from '../../base/kept';
import { t } from '../../base/text';

const WIDTH = 'millrace.panelWidth';
const WIDTH_USUAL = 420;
/** Usual width while a test is shown: room for its input beside its output. */
const WIDTH_TEST = 560;
/** Window from which on the canvas has room beside a panel of that width. */
const WINDOW_TEST_MIN = 1280;
const WIDTH_MIN = 340;
const CANVAS_MIN = 240;
const STEP = 40;

const within = (width: number): number =>
  Math.round(Math.max(WIDTH_MIN, Math.min(width, Math.max(WIDTH_MIN, innerWidth - CANVAS_MIN))));

export function usePanelWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(() => within(Number(kept.get(WIDTH)) || WIDTH_USUAL));
  return [
    width,
    (wanted) => {
      const next = within(wanted);
      setWidth(next);
      kept.set(WIDTH, String(next));
    },
  ];
}

/** Width in which the panel is shown: wider for a test, unless the user has chosen a width. */
export const shownWidth = (width: number, isTest: boolean): number =>
  isTest && width === WIDTH_USUAL && innerWidth >= WINDOW_TEST_MIN ? WIDTH_TEST : width;

export function PanelEdge({ width, onWidth }: { width: number; onWidth: (width: number) => void }) {
  const dragged = useRef<{ x: number; width: number }>();
  return (
    <div
      class="panel-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('panel.width')}
      aria-valuenow={width}
      aria-valuemin={WIDTH_MIN}
      aria-valuemax={within(Infinity)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        dragged.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (dragged.current) {
          onWidth(dragged.current.width + dragged.current.x - event.clientX);
        }
      }}
      onPointerUp={() => {
        dragged.current = undefined;
      }}
      onPointerCancel={() => {
        dragged.current = undefined;
      }}
      onDblClick={() => onWidth(width < 2 * WIDTH_USUAL ? 2 * WIDTH_USUAL : WIDTH_USUAL)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (step !== undefined) {
          event.preventDefault();
          onWidth(width + step);
        }
      }}
    />
  );
}
