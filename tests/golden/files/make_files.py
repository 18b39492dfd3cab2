#!/usr/bin/env python3
"""Small npy and safetensors files that others' code wrote, and what is in them.

usage:  make_files.py OUT_DIR

Needs python3 and numpy (made with 1.24.2). The npy files are written by numpy.save and numpy.lib.format.write_array; the
safetensors files by struct and json out of the format's description. expected.json tells for each file its arrays: dtype (the
name in safetensors), shape, and the numbers in row-major order as texts: decimal digits that give the number back, nan, inf.
"""
import io
import json
import os
import struct
import sys

import numpy as np

NAMES = {"f8": "F64", "f4": "F32", "f2": "F16", "i8": "I64", "u8": "U64", "i4": "I32", "u4": "U32", "i2": "I16", "u2": "U16",
         "i1": "I8", "u1": "U8", "b1": "BOOL"}


def values(array):
    if array.dtype.kind == "f":
        return [repr(float(x)) for x in array.ravel(order="C")]
    return [str(int(x)) for x in array.ravel(order="C")]


def describe(array, dtype=None):
    return {"dtype": dtype or NAMES[array.dtype.str[1:]], "shape": list(array.shape), "values": values(array)}


def numbers(dtype, shape):
    """Ends of the type's range, and what is special, repeated until the shape is full."""
    kind = np.dtype(dtype).kind
    if kind == "f":
        info = np.finfo(dtype)
        some = [0.0, -0.0, 1.0, -1.5, float(info.max), float(info.min), float(info.tiny), float(info.tiny) / 4, np.inf, -np.inf,
                np.nan, 1 / 3]
    elif kind == "b":
        some = [True, False, False, True, True]
    else:
        info = np.iinfo(dtype)
        some = [0, 1, 2, info.max, info.min, info.max - 1, 77]
    count = int(np.prod(shape, dtype=np.int64))
    return np.array([some[i % len(some)] for i in range(count)], dtype=dtype).reshape(shape)


def main(out):
    expected = {}

    def npy(name, array, version=None):
        with open(os.path.join(out, name), "wb") as file:
            if version is None:
                np.save(file, array)
            else:
                np.lib.format.write_array(file, array, version=version)
        expected[name] = {"": describe(array)}

    for name in NAMES:
        for order in "<>" if name[1] != "1" else "|":
            dtype = order + name
            npy(f"{'be' if order == '>' else 'le'}_{name}.npy", numbers(dtype, (3, 5)))
    npy("scalar.npy", numbers("<f4", ()))
    npy("empty.npy", numbers("<f4", (3, 0, 2)))
    npy("one_axis.npy", numbers("<i2", (7,)))
    npy("fortran.npy", np.asfortranarray(np.arange(24, dtype="<i4").reshape(2, 3, 4)))
    npy("fortran_be_f2.npy", np.asfortranarray(numbers(">f2", (4, 3))))
    npy("version_2.npy", numbers("<f4", (2, 2)), (2, 0))
    npy("version_3.npy", numbers("<f8", (2, 2)), (3, 0))

    def safetensors(name, arrays, metadata=None, order=None, pad=0, indent=None):
        """`arrays`: name -> (dtype, shape, bytes, values); `order`: the names in the order of their data."""
        at, offsets, data = 0, {}, b""
        for key in order or arrays:
            raw = arrays[key][2]
            offsets[key] = [at, at + len(raw)]
            at += len(raw)
            data += raw
        header = {} if metadata is None else {"__metadata__": metadata}
        for key, (dtype, shape, _, _) in arrays.items():
            header[key] = {"dtype": dtype, "shape": shape, "data_offsets": offsets[key]}
        text = json.dumps(header, indent=indent, separators=None if indent else (",", ":")).encode() + b" " * pad
        with open(os.path.join(out, name), "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + data)
        expected[name] = {key: {"dtype": d, "shape": s, "values": v} for key, (d, s, _, v) in arrays.items()}
        if metadata is not None:
            expected[name]["__metadata__"] = metadata

    def of(array):
        return (NAMES[array.dtype.str[1:]], list(array.shape), array.tobytes(), values(array))

    safetensors("all_types.safetensors", {name: of(numbers("<" + name if name[1] != "1" else name, (3, 5))) for name in NAMES})
    bf16 = np.array([0x0000, 0x8000, 0x3F80, 0xBFC0, 0x7F7F, 0x0001, 0x7F80, 0xFF80, 0x7FC0, 0x3EAB], dtype="<u2")
    as_float = (bf16.astype("<u4") << 16).view("<f4")
    safetensors("bf16.safetensors", {"w": ("BF16", [2, 5], bf16.tobytes(), values(as_float))}, {"format": "pt"})
    safetensors("order.safetensors", {"z": of(numbers("<f4", (2,))), "a\u00e9\u4e16\U0001F600/\"q\"": of(numbers("<i2", (3,))),
                                      "empty": of(numbers("<f4", (0, 4))), "": of(numbers("u1", ()))},
                {"note": "line\nbreak", "": ""}, ["", "empty", "a\u00e9\u4e16\U0001F600/\"q\"", "z"], pad=3)
    safetensors("indented.safetensors", {"x": of(numbers("<f8", (1, 2)))}, indent=2)
    safetensors("nothing.safetensors", {})

    with open(os.path.join(out, "expected.json"), "w") as file:
        json.dump(expected, file, indent=1)
        file.write("\n")


main(sys.argv[1])
