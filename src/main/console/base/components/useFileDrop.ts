import { useState } from 'preact/hooks';

interface Handlers {
  'data-over': true | undefined;
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
}

const hasFiles = (event: DragEvent): boolean => [...(event.dataTransfer?.types ?? [])].includes('Files');

export function useFileDrop(isEnabled: boolean, onFiles: (files: File[]) => void): Handlers {
  const [over, setOver] = useState(false);
  return {
    'data-over': over || undefined,
    onDragOver: (event) => {
      if (isEnabled && hasFiles(event)) {
        event.preventDefault();
        setOver(true);
      }
    },
    onDragLeave: (event) => {
      if (!(event.currentTarget as Node).contains(event.relatedTarget as Node | null)) {
        setOver(false);
      }
    },
    onDrop: (event) => {
      setOver(false);
      if (isEnabled && hasFiles(event)) {
        event.preventDefault();
        event.stopPropagation();
        onFiles([...(event.dataTransfer?.files ?? [])]);
      }
    },
  };
}
