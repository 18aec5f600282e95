import { useState } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { Panel } from '../../base/components/Panel';
import { t } from '../../base/text';
import { niceMax, type Span } from './figures';

interface Props {
  title: string;
  sum: string;
  spans: readonly Span[];
  value: (span: Span) => number;
  write: (value: number) => string;
  tone: 'accent' | 'red' | 'blue';
}

const WIDTH = 480;
const HEIGHT = 140;
const GAP = 0.25;
/** Minimum height of a bar, so that one run among thousands is visible. */
const SEEN = 2;

const dates = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function labelOf(span: Span): string {
  const first = dates.format(new Date(span.day));
  return span.days === 1
    ? first
    : `${first} – ${dates.format(new Date(Date.parse(span.day) + (span.days - 1) * 86_400_000))}`;
}

export function Plot({ title, sum, spans, value, write, tone }: Props) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Panel
      title={title}
      actions={
        <Button size="small" kind="quiet" icon={asTable ? 'activity' : 'table'} onClick={() => setAsTable(!asTable)}>
          {t(asTable ? 'insight.asPlot' : 'insight.asTable')}
        </Button>
      }>
      <p class="plot-sum figures">{sum}</p>
      {asTable ? (
        <Figures title={title} spans={spans} value={value} write={write} />
      ) : (
        <Bars title={title} sum={sum} spans={spans} value={value} write={write} tone={tone} />
      )}
    </Panel>
  );
}

function Bars({ title, sum, spans, value, write, tone }: Props) {
  const most = niceMax(Math.max(0, ...spans.map(value)));
  const step = WIDTH / spans.length;
  return (
    <figure class="plot">
      <div class="plot-axis faint" aria-hidden="true">
        <span>{write(most)}</span>
        <span>0</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('insight.plot', { title, sum })}>
        <line class="plot-line" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <line class="plot-line" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {spans.map((span, at) => {
          const found = value(span);
          const height = found === 0 ? 0 : Math.max(SEEN, (found / most) * HEIGHT);
          return (
            <g key={span.day} class={`plot-bar ${tone}`}>
              <title>{`${labelOf(span)}: ${write(found)}`}</title>
              <rect class="plot-hit" x={at * step} y={0} width={step} height={HEIGHT} />
              <rect x={at * step + (step * GAP) / 2} y={HEIGHT - height} width={step * (1 - GAP)} height={height} />
            </g>
          );
        })}
      </svg>
      <div class="plot-days faint" aria-hidden="true">
        <span>{labelOf(spans[0]!)}</span>
        <span>{labelOf(spans[spans.length - 1]!)}</span>
      </div>
    </figure>
  );
}

function Figures({ title, spans, value, write }: Omit<Props, 'sum' | 'tone'>) {
  return (
    <div class="plot-table" tabIndex={0} role="region" aria-label={title}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t('insight.day')}</th>
            <th scope="col">{title}</th>
          </tr>
        </thead>
        <tbody>
          {[...spans].reverse().map((span) => (
            <tr key={span.day}>
              <th scope="row">{labelOf(span)}</th>
              <td class="figures">{write(value(span))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
