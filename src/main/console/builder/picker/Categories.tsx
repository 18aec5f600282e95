import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../base/text';
import { categoryText, type Category } from './sections';

export function Categories({
  all,
  chosen,
  onChoose,
}: {
  all: readonly Category[];
  chosen: Category | undefined;
  onChoose: (category: Category | undefined) => void;
}) {
  const group = useRef<HTMLDivElement>(null);
  useEffect(
    () => group.current?.querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }),
    [chosen],
  );
  const chip = (category: Category | undefined) => (
    <button
      key={category ?? ''}
      type="button"
      class="picker-category"
      aria-pressed={chosen === category}
      data-category={category ?? 'all'}
      onClick={() => onChoose(category)}>
      {t(category ? categoryText(category) : 'picker.category.all')}
    </button>
  );
  return (
    <div class="picker-categories" ref={group} role="group" aria-label={t('picker.categories')}>
      {chip(undefined)}
      {all.map(chip)}
    </div>
  );
}
