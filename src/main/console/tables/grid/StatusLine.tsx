import { Button } from '../../base/components/Button';
import { useStore } from '../../base/store';
import { count, t } from '../../base/text';
import type { TableData } from '../data/table';
import { numberOf } from '../data/values';
import { textOf, type Field, type Row } from '../model';
import type { Area } from './selection';

const CELLS_SUMMED_MAX = 100_000;

export function StatusLine({
  data,
  fields,
  rows,
  area,
}: {
  data: TableData;
  fields: readonly Field[];
  rows: readonly Row[];
  area: Area;
}) {
  const { rows: all, state, work } = useStore(data.store);
  const cells =
    rows.length === 0 || fields.length === 0 ? 0 : (area.bottom - area.top + 1) * (area.right - area.left + 1);
  const numbers =
    cells > 1 && cells <= CELLS_SUMMED_MAX
      ? rows
          .slice(area.top, area.bottom + 1)
          .flatMap((row) =>
            fields.slice(area.left, area.right + 1).flatMap((field) => numberOf(textOf(row, field)) ?? []),
          )
      : [];
  const sum = numbers.reduce((total, number) => total + number, 0);
  const figure = (number: number): string => number.toLocaleString('en', { maximumFractionDigits: 6 });
  return (
    <div class="grid-status">
      <span role="status" data-records={all.length}>
        {state === 'loading'
          ? t('grid.loading', { count: figure(all.length) })
          : rows.length === all.length
            ? count('grid.countAll', all.length).replace(String(all.length), figure(all.length))
            : t('grid.count', { shown: figure(rows.length), all: figure(all.length) })}
      </span>
      {work ? (
        <span class="row" data-work>
          <progress
            value={work.done}
            max={work.total}
            aria-label={t('grid.working', { done: work.done, total: work.total })}
          />
          <span class="figures">{t('grid.working', { done: figure(work.done), total: figure(work.total) })}</span>
          <Button size="small" icon="square" onClick={work.stop}>
            {t('grid.stop')}
          </Button>
        </span>
      ) : null}
      <span class="spread" />
      {cells > 1 ? <span class="figures">{t('grid.cells', { count: figure(cells) })}</span> : null}
      {numbers.length > 1 ? (
        <>
          <span class="figures">{t('grid.sum', { sum: figure(sum) })}</span>
          <span class="figures wide-only">{t('grid.average', { average: figure(sum / numbers.length) })}</span>
        </>
      ) : null}
    </div>
  );
}
