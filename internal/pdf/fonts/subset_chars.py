"""Writes the character lists for the subsets of README.md: sc.txt, tc.txt, tc_bold.txt, kr.txt."""


def table(codec):
    """Returns the characters of a double-byte standard without ASCII and private use."""
    out = set()
    for hi in range(0x81, 0xFF):
        for lo in range(0x40, 0xFF):
            try:
                c = bytes([hi, lo]).decode(codec)
            except UnicodeDecodeError:
                continue
            if len(c) == 1 and ord(c) >= 0x80 and not 0xE000 <= ord(c) <= 0xF8FF:
                out.add(c)
    return out


def write(name, chars):
    with open(name, "w", encoding="utf-8") as f:
        f.write("".join(sorted(chars)))


write("sc.txt", table("gb2312") | table("shift_jis") | set("髙﨑德"))
write("tc.txt", table("big5") | table("big5hkscs"))
write("tc_bold.txt", table("big5"))
write("kr.txt", {c for c in table("euc_kr") if 0xAC00 <= ord(c) <= 0xD7A3})
