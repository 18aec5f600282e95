import type { MutableRef } from 'preact/hooks';
import { Button } from '../../base/components/Button';
import { useNewRow } from './useNewRow';

interface Props {
  /** Name of the field. */
  field: string;
  /** Element whose children are the rows. */
  group: MutableRef<HTMLElement | null>;
  rows: number;
  text: string;
  add: () => void;
}

/** Button that adds a row to a field and moves the focus to it. */
export function AddRow({ field, group, rows, text, add }: Props) {
  const awaitRow = useNewRow(group, rows);
  return (
    <div>
      <Button
        size="small"
        icon="plus"
        more={{ 'data-add': field }}
        onClick={() => {
          awaitRow();
          add();
        }}>
        {text}
      </Button>
    </div>
  );
}
