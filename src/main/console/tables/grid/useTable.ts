import { useEffect, useMemo } from 'preact/hooks';
import { complain } from '../../base/components/Toasts';
import { channel, useLive } from '../../base/live/channel';
import { TableData } from '../data/table';

export function useTable(tableId: string, changed: () => void): TableData {
  const data = useMemo(() => new TableData(tableId, complain), [tableId]);
  useEffect(() => {
    void data.reload();
    channel.send('WATCH_TABLES', {});
    return () => data.close();
  }, [data]);
  useLive(
    'CONNECTED',
    () => {
      channel.send('WATCH_TABLES', {});
      void data.heard([]);
    },
    [data],
  );
  useLive(
    'TABLE_CHANGED',
    (told) => {
      const { tableId: of, recordIds, more } = told as { tableId: string; recordIds: string[]; more: boolean };
      if (of === tableId) {
        void data.heard(more ? [] : recordIds);
        if (more) {
          changed();
        }
      }
    },
    [data],
  );
  return data;
}
