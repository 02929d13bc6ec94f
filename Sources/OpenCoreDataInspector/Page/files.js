// Files that are chosen as values of binary data.

// An edit can have eight million bytes, of which base64 takes a third.
export const mostBytes = 5e6;

export function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

// The number of bytes that base64 stands for.
export const sizeOf = (text) => Math.floor(text.length * 3 / 4) - (text.match(/=*$/)[0].length);
