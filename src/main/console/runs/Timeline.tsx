import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../base/components/Icon';
import { count, t } from '../base/text';
import { duration } from '../base/time';
import { IterationPicker } from './IterationPicker';
import { stepLook } from './stepLook';
import { iterationsOf } from './steps';
import { ticksOf, windowOf, type Bar, type Timeline as Lines } from './timing';
import type { Chosen } from './useChosen';

const ROW = 36;
const TICKS = 4;
const TALLEST = 620;

interface Props {
  lines: Lines;
  chosen: Chosen;
  title: (name: string) => string;
}

/** Line of the list: a step, or the iteration picker of a loop. */
type Row = { bar: Bar; picks: boolean };

/** Only the visible lines of a long run are rendered. */
export function Timeline({ lines, chosen, title }: Props) {
  const rows: Row[] = lines.bars.flatMap((bar) => [
    { bar, picks: false },
    ...(bar.loop && bar.loop.shown >= 0 ? [{ bar, picks: true }] : []),
  ]);
  const frame = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const height = Math.min(rows.length * ROW, TALLEST);
  const { first, last } = windowOf(rows.length, ROW, top, height);
  const at = rows.findIndex((row) => !row.picks && row.bar.key === chosen.key);
  useEffect(() => {
    const element = frame.current;
    if (element && at >= 0 && (at * ROW < element.scrollTop || (at + 1) * ROW > element.scrollTop + height)) {
      element.scrollTop = Math.max(0, (at - 2) * ROW);
    }
  }, [chosen.key, at >= 0]);
  const steer = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const next = step === undefined || event.target instanceof HTMLInputElement ? undefined : beside(rows, at, step);
    if (next) {
      event.preventDefault();
      chosen.select(next.bar.key);
      requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>('[aria-current="step"]')?.focus());
    }
  };
  return (
    <div class="timeline card" role="group" aria-label={t('run.timeline')}>
      <Axis totalMs={lines.totalMs} />
      <div
        class="timeline-rows"
        ref={frame}
        style={{ height: `${height + 1}px` }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={steer}>
        <div style={{ height: `${rows.length * ROW}px`, paddingTop: `${first * ROW}px` }}>
          {rows
            .slice(first, last)
            .map(({ bar, picks }) =>
              picks ? (
                <Pick key={`${bar.key}/`} bar={bar} chosen={chosen} title={title} />
              ) : (
                <Line key={bar.key} bar={bar} totalMs={lines.totalMs} chosen={chosen} title={title} />
              ),
            )}
        </div>
      </div>
    </div>
  );
}

function beside(rows: Row[], at: number, step: number): Row | undefined {
  for (let next = at + step; next >= 0 && next < rows.length; next += step) {
    if (!rows[next]!.picks) {
      return rows[next];
    }
  }
  return undefined;
}

function Axis({ totalMs }: { totalMs: number }) {
  return (
    <div class="timeline-axis figures" aria-hidden="true">
      {ticksOf(totalMs, TICKS).map((tick) => (
        <span key={tick} data-last={tick > 0.9 * totalMs} style={{ left: `${(100 * tick) / totalMs}%` }}>
          {tick === 0 ? '0' : duration(tick)}
        </span>
      ))}
    </div>
  );
}

interface LineProps {
  bar: Bar;
  chosen: Chosen;
  title: (name: string) => string;
}

function Line({ bar, totalMs, chosen, title }: LineProps & { totalMs: number }) {
  const look = stepLook(bar.standing);
  const name = title(bar.name);
  const time = bar.standing === 'PAUSED' ? t(look.text) : duration(bar.lengthMs);
  const left = (100 * bar.startMs) / totalMs;
  const width = (100 * bar.lengthMs) / totalMs;
  const folds = bar.loop && bar.loop.count > 0;
  const open = (bar.loop?.shown ?? -1) >= 0;
  return (
    <div class="timeline-line" style={{ '--depth': bar.depth }} data-chosen={chosen.key === bar.key}>
      {folds ? (
        <button
          class="timeline-fold"
          type="button"
          aria-expanded={open}
          aria-label={t(open ? 'run.loop.fold' : 'run.loop.unfold', { name })}
          onClick={() => (open ? chosen.fold(bar.key) : chosen.iterate(bar.key, Math.max(0, bar.loop!.count - 1)))}>
          <Icon name={open ? 'chevron-down' : 'chevron-right'} size={14} />
        </button>
      ) : (
        <span class="timeline-fold" />
      )}
      <button
        class="timeline-step"
        type="button"
        data-key={bar.key}
        aria-current={chosen.key === bar.key ? 'step' : undefined}
        aria-label={t('run.timeline.bar', { name, status: t(look.text), duration: time })}
        onClick={() => chosen.select(bar.key)}>
        <span class={`timeline-name tone-${look.tone}`}>
          <Icon name={look.icon} spin={bar.standing === 'RUNNING'} />
          <span class="cut">{name}</span>
          {bar.loop ? <span class="faint timeline-count">× {bar.loop.count}</span> : null}
        </span>
        <span class="timeline-track">
          <span
            class={`timeline-bar tone-${look.tone}`}
            data-running={bar.standing === 'RUNNING'}
            style={{ left: `${left}%`, width: `${width}%` }}
          />
          <span class="timeline-time figures" data-inside={left < 24 && left + width > 76} style={timeAt(left, width)}>
            {time}
          </span>
        </span>
      </button>
    </div>
  );
}

/** Position of the duration: after the bar if there is room, otherwise before it, or inside at its end. */
function timeAt(left: number, width: number): { left?: string; right?: string } {
  if (left + width <= 76) {
    return { left: `${left + width}%` };
  }
  return { right: left >= 24 ? `${100 - left}%` : `${100 - left - width}%` };
}

function Pick({ bar, chosen, title }: LineProps) {
  return (
    <div class="timeline-line timeline-pick" style={{ '--depth': bar.depth + 1 }}>
      <span class="timeline-fold" />
      <IterationPicker
        name={title(bar.name)}
        iterations={iterationsOf(bar.record)}
        shown={bar.loop!.shown}
        choose={(iteration) => chosen.iterate(bar.key, iteration)}
      />
      <span class="visually-hidden">{count('run.loop.iterations', bar.loop!.count)}</span>
    </div>
  );
}
