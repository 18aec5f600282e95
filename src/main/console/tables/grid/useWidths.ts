import { useCallback, useState } from 'preact/hooks';
import { kept } from '../../base/kept';
import { readWidths, resized, type Widths } from './widths';

export type Resize = (fieldId: string, width: number | undefined) => void;

export function useWidths(tableId: string): { widths: Widths; resize: Resize } {
  const key = `millrace.widths.${tableId}`;
  const [widths, setWidths] = useState<Widths>(() => readWidths(kept.get(key)));
  const resize = useCallback<Resize>(
    (fieldId, width) =>
      setWidths((before) => {
        const after = resized(before, fieldId, width);
        kept.set(key, JSON.stringify(after));
        return after;
      }),
    [key],
  );
  return { widths, resize };
}
