import { useState } from 'preact/hooks';
import { tableFileOf, type Choices, type TableFile } from '../data/tableFile';

export interface ChosenFile {
  read: TableFile | undefined;
  isBad: boolean;
  open: (file: File | undefined) => Promise<void>;
  /** Reads the file again with other options. */
  choose: (choice: Choices) => void;
}

const FILE_BYTES_MAX = 128 << 20;

export function useTableFile(onRead: (read: TableFile | undefined) => void = () => {}): ChosenFile {
  const [bytes, setBytes] = useState<Uint8Array>();
  const [choices, setChoices] = useState<Choices>({});
  const [read, setRead] = useState<TableFile>();
  const [isBad, setIsBad] = useState(false);
  const take = (given: Uint8Array | undefined, wanted: Choices): void => {
    const found = given && tableFileOf(given, wanted);
    setChoices(wanted);
    setRead(found);
    setIsBad(given !== undefined && !found);
    onRead(found);
  };
  return {
    read,
    isBad,
    open: async (file) => {
      const given =
        file && file.size <= FILE_BYTES_MAX
          ? new Uint8Array(await file.arrayBuffer())
          : file
            ? new Uint8Array()
            : undefined;
      setBytes(given);
      take(given, {});
    },
    choose: (choice) => take(bytes, { ...choices, ...choice }),
  };
}
